// A shim for the conformance suite, with a tiny engine inside so that it plays from the first minute.
//
// Four parts: THE ENGINE, to be replaced by yours; THE SHIM, which turns a scenario into calls of the engine
// and the engine into what is seen; THE PROTOCOL, one JSON object a line; and a little JSON, because Java has
// none of its own. The last two may stay as they are.

import java.io.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.function.BooleanSupplier;

public class Engine {
    static final String NAME = "my engine", VERSION = "0.1";
    static final List<String> STEPS = List.of(
        "untap", "upkeep", "draw", "precombat main", "beginning of combat", "declare attackers",
        "declare blockers", "combat damage", "end of combat", "postcombat main", "end", "cleanup");
    static final List<String> ZONES = List.of("hand", "library", "graveyard", "exile");

    /** The rules do not allow this; the game is as it was. */
    static class Rejected extends RuntimeException {
        Rejected(String why) { super(why); }
    }

    /** We cannot play this, and say so: never guess. */
    static class Unsupported extends RuntimeException {
        Unsupported(String what) { super(what); }
    }

    // ------------------------------------------------------------------------------- THE ENGINE
    // Players, zones, priority, steps; creatures without abilities, spells that deal damage. Yours goes here.

    /** What is printed on a card; of an instant or sorcery also the damage it deals. */
    record Card(String name, Object cost, Set<String> types, List<?> subtypes, List<?> supertypes, Object colors,
                Object power, Object toughness, int damage, boolean hitsPlayers) {
        boolean isA(String kind) { return types.contains(kind); }
        boolean isSpell() { return isA("Instant") || isA("Sorcery"); }
    }

    /** A card, wherever it is. */
    static class Thing {
        final String id, owner;
        final Card card;
        String controller, zone = "";
        boolean tapped;
        long damage;
        List<String> targets = List.of();

        Thing(String id, Card card, String owner) {
            this.id = id; this.card = card; this.owner = owner; this.controller = owner;
        }
    }

    /** A game under way. */
    static class Game {
        final List<String> players;
        final Map<String, Thing> things = new LinkedHashMap<>();
        final Map<String, Map<String, List<String>>> zones = new HashMap<>();
        final Map<String, Long> life = new HashMap<>();
        final Set<String> lost = new HashSet<>();
        final List<String> stack = new ArrayList<>();
        String active, step, holder;
        int passes, landsPlayed;

        Game(List<String> players, String active, String step) {
            this.players = players; this.active = active; this.step = step; this.holder = active;
            for (String zone : ZONES) zones.put(zone, new HashMap<>());
        }

        List<String> zone(String zone, String player) { return zones.get(zone).get(player); }

        String after(String player) { return players.get((players.indexOf(player) + 1) % players.size()); }

        List<Thing> battlefield() {
            return things.values().stream().filter(thing -> thing.zone.equals("battlefield")).toList();
        }

        /** Take a card from where it is to another zone (libraries and graveyards: to the top). */
        void move(Thing thing, String zone) {
            if (zones.containsKey(thing.zone)) zone(thing.zone, thing.owner).remove(thing.id);
            stack.remove(thing.id);
            thing.zone = zone; thing.tapped = false; thing.damage = 0;
            if (zones.containsKey(zone)) zone(zone, thing.owner).add(0, thing.id);
            if (zone.equals("stack")) stack.add(thing.id);
        }

        void pass(String player, boolean attackersFollow) {
            if (!player.equals(holder)) throw new Rejected(holder + " has priority");
            if (++passes < players.size()) { holder = after(player); return; }
            if (stack.isEmpty()) nextStep(attackersFollow);
            else resolveTop();
            givePriority();
        }

        /** State-based actions, then the active player may act. */
        void givePriority() {
            for (Thing thing : battlefield())
                if (thing.card.isA("Creature") && thing.damage >= (Long) thing.card.toughness) move(thing, "graveyard");
            if (life.values().stream().anyMatch(n -> n <= 0)) throw new Unsupported("a player without life");
            holder = active; passes = 0;
        }

        /** The next step in which somebody gets priority. */
        void nextStep(boolean attackersFollow) {
            if (step.equals("beginning of combat") && attackersFollow)
                for (Thing thing : battlefield())
                    if (thing.card.isA("Creature") && thing.controller.equals(active) && !thing.tapped)
                        throw new Unsupported("combat");
            if (step.equals("declare attackers")) step = "combat damage"; // nobody attacked
            step = STEPS.get((STEPS.indexOf(step) + 1) % STEPS.size());
            switch (step) {
                case "cleanup" -> {
                    if (zone("hand", active).size() > 7) throw new Unsupported("discarding in the cleanup step");
                    for (Thing thing : things.values()) thing.damage = 0;
                    nextStep(attackersFollow);
                }
                case "untap" -> {
                    active = after(active); landsPlayed = 0;
                    for (Thing thing : battlefield()) thing.tapped &= !thing.controller.equals(active);
                    nextStep(attackersFollow);
                }
                case "draw" -> draw(active);
                default -> { }
            }
        }

        void draw(String player) {
            List<String> library = zone("library", player);
            if (!library.isEmpty()) move(things.get(library.get(0)), "hand");
            // Try me: G-0058 says what happens to a player who draws from an empty library. One line does it:
            // else lost.add(player);
        }

        boolean mainPhaseOf(String player) {
            return player.equals(active) && step.endsWith("main") && stack.isEmpty();
        }

        void playLand(Thing thing, String player) {
            if (!player.equals(holder) || !mainPhaseOf(player) || landsPlayed > 0) throw new Rejected("not now");
            if (!zone("hand", player).contains(thing.id) || !thing.card.isA("Land"))
                throw new Rejected(thing.id + " is no land in the hand of " + player);
            move(thing, "battlefield");
            landsPlayed++; passes = 0;
        }

        void cast(Thing thing, String player, List<String> targets) {
            if (!player.equals(holder)) throw new Rejected(holder + " has priority");
            if (!zone("hand", player).contains(thing.id) || thing.card.isA("Land"))
                throw new Rejected(thing.id + " is no spell in the hand of " + player);
            if (!thing.card.isA("Instant") && !mainPhaseOf(player))
                throw new Rejected("only in your own main phase, with an empty stack");
            if (targets.size() != (thing.card.isSpell() ? 1 : 0)
                || !targets.stream().allMatch(target -> canHit(thing, target)))
                throw new Rejected("not a legal target");
            move(thing, "stack");
            thing.controller = player; thing.targets = targets;
            holder = player; passes = 0;
        }

        boolean canHit(Thing spell, String target) {
            if (players.contains(target)) return spell.card.hitsPlayers;
            Thing thing = things.get(target);
            return thing != null && thing.zone.equals("battlefield") && thing.card.isA("Creature");
        }

        void resolveTop() {
            Thing thing = things.get(stack.get(stack.size() - 1));
            if (!thing.card.isSpell()) { move(thing, "battlefield"); return; }
            for (String target : thing.targets) {
                if (players.contains(target)) life.merge(target, (long) -thing.card.damage, Long::sum);
                else if (canHit(thing, target)) things.get(target).damage += thing.card.damage;
            }
            move(thing, "graveyard");
            thing.controller = thing.owner;
        }
    }

    // --------------------------------------------------------------------------------- THE SHIM

    /** YOURS: make your card from the definition, or say that you cannot. */
    static Card understood(Json card) {
        String name = card.text("name");
        Set<String> types = new TreeSet<>(card.texts("types"));
        onlyThese(card, "name", "cost", "types", "subtypes", "supertypes", "colors", "power", "toughness", "abilities");
        boolean isSpell = types.contains("Instant") || types.contains("Sorcery");
        int damage = 0;
        boolean hitsPlayers = false;
        if (!Set.of("Artifact", "Creature", "Enchantment", "Land", "Instant", "Sorcery").containsAll(types))
            throw new Unsupported("types");
        if (!Set.of("Basic").containsAll(card.texts("supertypes"))) throw new Unsupported("supertypes");
        if (types.contains("Creature") && !(card.get("toughness") instanceof Long))
            throw new Unsupported("toughness");
        List<Json> abilities = card.list("abilities");
        if (isSpell) {
            if (abilities.size() != 1 || !dealsDamage(abilities.get(0))) throw new Unsupported("what a spell does");
            damage = (int) abilities.get(0).list("effect").get(0).number("n");
            hitsPlayers = abilities.get(0).list("targets").get(0).flag("any_target");
        } else if (!abilities.isEmpty()) throw new Unsupported(abilities.get(0).text("is") + " abilities");
        return new Card(name, card.get("cost"), types, card.texts("subtypes"), card.texts("supertypes"),
            card.get("colors"), card.get("power"), card.get("toughness"), damage, hitsPlayers);
    }

    /** Throw if a record says something under another key; null, false and [] say nothing. */
    static void onlyThese(Json record, String... keys) {
        for (String key : record.keys())
            if (!List.of(keys).contains(key) && !record.isNothing(key)) throw new Unsupported(key);
    }

    /** Whether an ability is exactly `deals N damage to any target` (or to target creature). */
    static boolean dealsDamage(Json ability) {
        if (!ability.text("is").equals("spell") || ability.list("effect").size() != 1
            || ability.list("targets").size() != 1) return false;
        Json effect = ability.list("effect").get(0), target = ability.list("targets").get(0);
        if (!effect.text("then").equals("damage") || !(effect.get("n") instanceof Long) || effect.flag("divided")
            || !effect.get("to").equals(Map.of("who", "the", "name", "target"))) return false;
        if (target.number("least") != 1 || target.number("most") != 1) return false;
        boolean creature = false;
        if (!target.isNothing("what")) {
            Json what = target.object("what");
            creature = what.get("type").equals(List.of("Creature")) && what.keys().stream().allMatch(
                key -> Set.of("who", "zones", "type").contains(key) || what.isNothing(key));
        }
        return (target.flag("any_target") || creature) && ability.isNothing("additional")
            && ability.isNothing("kicked") && ability.isNothing("modes");
    }

    /** YOURS: set the table. Create everything in the order of `objects`, then enter it in that of `setup`. */
    static Game newGame(Json scenario) {
        List<String> players = scenario.list("players").stream().map(seat -> seat.text("id")).toList();
        Json start = scenario.object("start");
        Game game = new Game(players, start.text("turn"), start.text("step"));
        Map<String, Json> cards = new HashMap<>();
        for (Json card : scenario.list("cards")) {
            Json definition = card.object("definition");
            cards.put(definition.text("name"), definition);
        }
        for (Json thing : scenario.list("objects")) {
            if (thing.flag("token")) throw new Unsupported("tokens");
            Card card = understood(cards.get(thing.text("card")));
            game.things.put(thing.text("id"), new Thing(thing.text("id"), card, thing.text("owner")));
        }
        for (Json seat : scenario.list("players")) {
            if (!seat.isNothing("team")) throw new Unsupported("teams");
            if (!seat.isNothing("counters")) throw new Unsupported("counters on players");
            game.life.put(seat.text("id"), seat.number("life"));
            for (String zone : ZONES) {
                game.zones.get(zone).put(seat.text("id"), new ArrayList<>(seat.texts(zone)));
                for (String id : seat.texts(zone)) game.things.get(id).zone = zone;
            }
        }
        for (Json arrival : scenario.list("setup"))
            for (Json entry : arrival.list("entries")) {
                onlyThese(entry, "id", "controller", "tapped", "damage", "new");
                Thing thing = game.things.get(entry.text("id"));
                thing.zone = "battlefield"; thing.controller = entry.text("controller");
                thing.tapped = entry.flag("tapped"); thing.damage = entry.number("damage");
            }
        return game;
    }

    /** YOURS: one action of the script. Illegal: throw Rejected. Not possible to ask: throw Unsupported. */
    static void act(Game game, Json action) {
        switch (action.text("do")) {
            case "pass" -> {
                if (!action.text("who").equals("everyone")) game.pass(action.text("who"), true);
                else until(game, true, () -> game.passes == 0);
            }
            case "settle" -> { if (!game.stack.isEmpty()) until(game, true, game.stack::isEmpty); }
            case "resolve" -> until(game, true, () -> !game.stack.contains(action.text("what")));
            case "advance" -> {
                // The step goes on when what is on the stack has resolved.
                if (!game.stack.isEmpty()) until(game, true, game.stack::isEmpty);
                until(game, false, () -> game.passes == 0 && game.step.equals(action.text("to"))
                    && (action.isNothing("turn") || game.active.equals(action.text("turn"))));
            }
            case "play" -> game.playLand(game.things.get(action.text("what")), action.text("by"));
            case "cast" -> {
                onlyThese(action, "do", "what", "by", "targets");
                List<String> targets = new ArrayList<>();
                for (Object group : (List<?>) action.get("targets"))
                    for (Object target : (List<?>) group) targets.add((String) target);
                game.cast(game.things.get(action.text("what")), action.text("by"), targets);
            }
            default -> throw new Unsupported("the action " + action.text("do"));
        }
    }

    /** Everyone passes until something is so. */
    static void until(Game game, boolean attackersFollow, BooleanSupplier done) {
        for (int count = 0; count < 1000; count++) {
            game.pass(game.holder, attackersFollow);
            if (done.getAsBoolean()) return;
        }
        throw new Unsupported("more than a thousand passes");
    }

    /** What is seen now: of everything wanted at this look the keys that are known. Leave out what you don't know. */
    static Map<String, Object> look(Game game, List<Json> wants, String name) {
        Map<String, Object> objects = new TreeMap<>(), players = new TreeMap<>(), table = new TreeMap<>();
        for (Json want : wants) {
            String of = want.text("of");
            if (!want.text("look").equals(name)) continue;
            if (of.equals("table")) table = only(want, seenTable(game));
            else if (game.players.contains(of)) players.put(of, only(want, seenPlayer(game, of)));
            else if (game.things.containsKey(of)) objects.put(of, only(want, seenThing(game.things.get(of))));
        }
        return Map.of("objects", objects, "players", players, "table", table);
    }

    static Map<String, Object> only(Json want, Map<String, Object> values) {
        values.keySet().retainAll(want.texts("keys"));
        return values;
    }

    /** YOURS: read these from your engine. */
    static Map<String, Object> seenTable(Game game) {
        Map<String, Object> seen = new TreeMap<>();
        seen.put("turn", game.active);
        seen.put("active", game.active);
        seen.put("step", game.step);
        seen.put("priority", game.holder);
        seen.put("stack", List.copyOf(game.stack)); // bottom to top
        seen.put("over", game.players.size() - game.lost.size() < 2);
        return seen;
    }

    /** YOURS: read these from your engine. */
    static Map<String, Object> seenPlayer(Game game, String player) {
        Map<String, Object> seen = new TreeMap<>();
        List<String> library = game.zone("library", player);
        for (String zone : ZONES)
            if (!zone.equals("library")) seen.put(zone, List.copyOf(game.zone(zone, player)));
        seen.put("life", game.life.get(player));
        seen.put("library_size", (long) library.size());
        seen.put("library_top", library.isEmpty() ? null : library.get(0));
        seen.put("lost", game.lost.contains(player));
        seen.put("land_plays", player.equals(game.active) ? 1L - game.landsPlayed : 0L);
        return seen;
    }

    /** YOURS: read these from your engine. None is null; what is unknown is left out. */
    static Map<String, Object> seenThing(Thing thing) {
        Card card = thing.card;
        Map<String, Object> seen = new TreeMap<>();
        List<String> colors = new ArrayList<>();
        long manaValue = 0;
        String cost = card.cost == null ? "" : (String) card.cost;
        for (String symbol : cost.replace("{", "").split("}"))
            if (!symbol.isEmpty() && !symbol.equals("X"))
                manaValue += Character.isDigit(symbol.charAt(0)) ? Long.parseLong(symbol.split("/")[0]) : 1;
        Map<String, String> symbols = Map.of("W", "white", "U", "blue", "B", "black", "R", "red", "G", "green");
        symbols.forEach((symbol, color) -> { if (cost.contains(symbol)) colors.add(color); });
        // A noncreature permanent has no power, whatever is printed on it.
        boolean hasSize = !thing.zone.equals("battlefield") || card.isA("Creature");
        boolean inPlay = thing.zone.equals("battlefield") || thing.zone.equals("stack");
        seen.put("name", card.name);
        seen.put("cost", card.cost);
        seen.put("mana_value", manaValue);
        seen.put("colors", card.colors == null ? colors : card.colors);
        seen.put("types", List.copyOf(card.types));
        seen.put("subtypes", card.subtypes);
        seen.put("supertypes", card.supertypes);
        seen.put("power", hasSize ? card.power : null);
        seen.put("toughness", hasSize ? card.toughness : null);
        seen.put("zone", thing.zone);
        seen.put("owner", thing.owner);
        seen.put("controller", inPlay ? thing.controller : null);
        seen.put("tapped", thing.tapped);
        seen.put("damage", thing.damage);
        return seen;
    }

    // ----------------------------------------------------------------------------- THE PROTOCOL

    /** The whole answer to a scenario. */
    static Map<String, Object> play(Object id, Json scenario) {
        Map<String, Object> answer = new TreeMap<>(), looks = new TreeMap<>(), tried = new TreeMap<>();
        answer.put("id", id);
        long at = 0;
        try {
            Game game = newGame(scenario);
            for (Json action : scenario.list("script")) {
                switch (action.text("do")) {
                    case "look" -> {
                        String name = action.text("name");
                        looks.put(name, look(game, scenario.list("wants"), name));
                    }
                    case "try" -> {
                        try {
                            act(game, action.object("action"));
                            tried.put(action.text("name"), "done");
                        } catch (Rejected refused) {
                            tried.put(action.text("name"), "rejected");
                        }
                    }
                    default -> act(game, action);
                }
                at++;
            }
            looks.put("end", look(game, scenario.list("wants"), "end"));
        } catch (Unsupported error) {
            answer.put("stopped", Map.of("at", at, "why", "unsupported", "says", error.getMessage()));
        } catch (Rejected error) {
            answer.put("stopped", Map.of("at", at, "why", "rejected", "says", error.getMessage()));
        } catch (RuntimeException error) { // our own fault: say so, and go on with the next scenario
            return new TreeMap<>(Map.of("id", id, "error", error.toString()));
        }
        answer.put("looks", looks);
        answer.put("tried", tried);
        return answer;
    }

    /** Answer line by line; stdout belongs to the protocol, stderr is for people. */
    public static void main(String[] arguments) throws IOException {
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            Json request = new Json(new Reader(line).value());
            String say = request.text("say");
            if (say.equals("bye")) return;
            Map<String, Object> answer = say.equals("hello")
                ? Map.of("protocol", 1L, "name", NAME, "version", VERSION,
                    "takes", List.of("defined"), "lacks", List.of("teams"), "wants_defaults", true)
                : play(request.get("id"), request.object("scenario"));
            out.print(written(answer) + "\n");
            out.flush();
        }
    }

    // ------------------------------------------------------------------------------------- JSON

    /** A JSON object, and its values by key: Map, List, String, Long, Boolean or null. */
    record Json(Object value) {
        Set<String> keys() { return map().keySet(); }
        Object get(String key) { return map().get(key); }
        String text(String key) { return (String) get(key); }
        long number(String key) { return (Long) get(key); }
        boolean flag(String key) { return (Boolean) get(key); }
        Json object(String key) { return new Json(get(key)); }
        List<Json> list(String key) { return ((List<?>) get(key)).stream().map(Json::new).toList(); }
        List<String> texts(String key) { return ((List<?>) get(key)).stream().map(one -> (String) one).toList(); }

        /** Whether nothing is said by it: null, false, an empty list. */
        boolean isNothing(String key) {
            Object value = get(key);
            return value == null || value.equals(false) || value.equals(List.of());
        }

        @SuppressWarnings("unchecked")
        private Map<String, Object> map() { return (Map<String, Object>) value; }
    }

    /** Reads a JSON value from a line. */
    static class Reader {
        private final String line;
        private int at;

        Reader(String line) { this.line = line; }

        Object value() {
            switch (next()) {
                case '{' -> {
                    Map<String, Object> map = new LinkedHashMap<>();
                    at++;
                    while (next() != '}') {
                        String key = text();
                        next(); at++; // the colon
                        map.put(key, value());
                        if (next() == ',') at++;
                    }
                    at++;
                    return map;
                }
                case '[' -> {
                    List<Object> list = new ArrayList<>();
                    at++;
                    while (next() != ']') {
                        list.add(value());
                        if (next() == ',') at++;
                    }
                    at++;
                    return list;
                }
                case '"' -> { return text(); }
                default -> {
                    int from = at;
                    while (at < line.length() && ",]} \t\r".indexOf(line.charAt(at)) < 0) at++;
                    String word = line.substring(from, at);
                    return switch (word) {
                        case "null" -> null;
                        case "true" -> true;
                        case "false" -> false;
                        default -> Long.parseLong(word);
                    };
                }
            }
        }

        private char next() {
            while (Character.isWhitespace(line.charAt(at))) at++;
            return line.charAt(at);
        }

        private String text() {
            StringBuilder text = new StringBuilder();
            next();
            for (at++; line.charAt(at) != '"'; at++) {
                char c = line.charAt(at);
                if (c == '\\') {
                    c = line.charAt(++at);
                    int plain = "bfnrt".indexOf(c);
                    if (plain >= 0) c = "\b\f\n\r\t".charAt(plain);
                    if (c == 'u') { c = (char) Integer.parseInt(line.substring(at + 1, at + 5), 16); at += 4; }
                }
                text.append(c);
            }
            at++;
            return text.toString();
        }
    }

    /** A value as JSON. */
    static String written(Object value) {
        StringJoiner parts;
        if (value instanceof Map<?, ?> map) {
            parts = new StringJoiner(",", "{", "}");
            map.forEach((key, inner) -> parts.add(written(key) + ":" + written(inner)));
            return parts.toString();
        }
        if (value instanceof Collection<?> list) {
            parts = new StringJoiner(",", "[", "]");
            list.forEach(inner -> parts.add(written(inner)));
            return parts.toString();
        }
        if (!(value instanceof String text)) return String.valueOf(value);
        StringBuilder quoted = new StringBuilder("\"");
        for (char c : text.toCharArray())
            quoted.append(c == '"' || c == '\\' ? "\\" + c : c < ' ' ? String.format("\\u%04x", (int) c) : "" + c);
        return quoted.append('"').toString();
    }
}
