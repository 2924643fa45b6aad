// A shim between the conformance suite and the Java engine XMage: scenarios in, what was seen out.
//
// It is one file, compiled against the engine's own modules; README.md beside it says how. In this order: READING (the
// scenario), THE CARDS (real ones by name, invented ones out of the engine's stock effects, and two of our own where each of
// its cards has one of its own), THE TABLE (setup), THE STORY
// (the script, which is what a player does who has priority), THE SEAT (a player: every question goes to the story), THE
// LOOKS, THE PROTOCOL.
//
// It decides nothing: what the engine cannot be asked is `unsupported`, what it refuses is `rejected`.

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import mage.*;
import mage.abilities.*;
import mage.abilities.common.*;
import mage.abilities.common.delayed.ReflexiveTriggeredAbility;
import mage.abilities.costs.*;
import mage.abilities.costs.common.*;
import mage.abilities.condition.Condition;
import mage.abilities.condition.common.KickedCondition;
import mage.abilities.condition.common.MyTurnCondition;
import mage.abilities.condition.common.PermanentsOnTheBattlefieldCondition;
import mage.abilities.costs.mana.*;
import mage.abilities.decorator.*;
import mage.abilities.dynamicvalue.AdditiveDynamicValue;
import mage.abilities.dynamicvalue.DynamicValue;
import mage.abilities.dynamicvalue.MultipliedValue;
import mage.abilities.dynamicvalue.common.*;
import mage.abilities.effects.*;
import mage.abilities.effects.common.*;
import mage.abilities.effects.common.combat.*;
import mage.abilities.effects.common.continuous.*;
import mage.abilities.effects.common.cost.*;
import mage.abilities.effects.common.counter.*;
import mage.abilities.effects.common.discard.*;
import mage.abilities.effects.mana.*;
import mage.abilities.keyword.*;
import mage.abilities.mana.*;
import mage.abilities.triggers.*;
import mage.cards.*;
import mage.cards.decks.Deck;
import mage.choices.Choice;
import mage.constants.*;
import mage.counters.*;
import mage.filter.*;
import mage.filter.common.*;
import mage.filter.predicate.Predicates;
import mage.filter.predicate.mageobject.*;
import mage.filter.predicate.permanent.*;
import mage.game.*;
import mage.game.combat.CombatGroup;
import mage.game.command.emblems.RadiationEmblem;
import mage.game.draft.Draft;
import mage.game.match.*;
import mage.game.mulligan.MulliganType;
import mage.game.permanent.*;
import mage.game.permanent.token.*;
import mage.game.stack.*;
import mage.game.tournament.Tournament;
import mage.game.turn.TurnMod;
import mage.players.*;
import mage.players.net.UserData;
import mage.target.*;
import mage.target.common.*;
import mage.target.targetpointer.*;
import mage.util.MultiAmountMessage;

import java.io.*;
import java.nio.charset.StandardCharsets;
import java.text.Normalizer;
import java.util.*;
import java.util.function.*;
import java.util.stream.*;

public final class XmageShim {
    static final String NAME = "xmage";
    /** The engine names no rules text; this is a day before the newest one, which came two weeks before the version played on. */
    static final String EDITION = "2026-06-19";
    static final String VERSION = System.getProperty("xmage.version", "1.4.61");

    /** Why something was not done. An error, because the engine swallows exceptions. */
    static class Not extends Error {
        final String why;

        Not(String why, String says) {
            super(says, null, false, false);
            this.why = why;
        }
    }

    static Not unsupported(String what) {
        return new Not("unsupported", what);
    }

    static Not rejected(String why) {
        return new Not("rejected", why);
    }

    /** What an error of the engine comes to; nobody starts its database of cards here. */
    static Not failure(Throwable error) {
        if (System.getProperty("shim.trace") != null) error.printStackTrace();
        StackTraceElement[] trace = error.getStackTrace();
        // A choice among all names fails in itself if the database can be opened and is empty.
        if (Arrays.stream(trace).anyMatch(one -> one.getClassName().startsWith("mage.cards.repository.") || one.getClassName().contains("ChooseACardNameEffect"))) return unsupported("the engine's database of cards");
        return new Not("error", error + (trace.length > 0 ? " at " + trace[0] : ""));
    }

    static Not question(String kind, String who, String about) {
        return new Not("question", kind + " by " + who + (about == null ? "" : " for " + about));
    }

    // ------------------------------------------------------------------------------------------ READING

    static boolean saysNothing(JsonElement value) {
        if (value == null || value.isJsonNull()) return true;
        if (value.isJsonArray()) return value.getAsJsonArray().isEmpty();
        if (!value.isJsonPrimitive()) return false;
        return value.getAsJsonPrimitive().isBoolean() ? !value.getAsBoolean() : value.getAsString().isEmpty();
    }

    static String text(JsonObject record, String key) {
        JsonElement value = record.get(key);
        return value == null || !value.isJsonPrimitive() ? "" : value.getAsString();
    }

    static int number(JsonObject record, String key, int otherwise) {
        JsonElement value = record.get(key);
        boolean there = value != null && value.isJsonPrimitive() && value.getAsJsonPrimitive().isNumber();
        return there ? value.getAsInt() : otherwise;
    }

    static boolean flag(JsonObject record, String key) {
        return !saysNothing(record.get(key)) && record.get(key).getAsBoolean();
    }

    static JsonObject record(JsonObject record, String key) {
        JsonElement value = record.get(key);
        return value == null || !value.isJsonObject() ? null : value.getAsJsonObject();
    }

    static List<JsonObject> list(JsonObject record, String key) {
        List<JsonObject> found = new ArrayList<>();
        if (record.get(key) instanceof JsonArray) for (JsonElement one : record.getAsJsonArray(key)) found.add(one.getAsJsonObject());
        return found;
    }

    static List<String> texts(JsonElement value) {
        List<String> found = new ArrayList<>();
        if (value instanceof JsonArray) for (JsonElement one : value.getAsJsonArray()) found.add(one.getAsString());
        return found;
    }

    static List<String> texts(JsonObject record, String key) {
        return texts(record.get(key));
    }

    /** Refuse a record that says something under another key than these. */
    static void only(JsonObject record, String what, String... keys) {
        for (Map.Entry<String, JsonElement> one : record.entrySet())
            if (!List.of(keys).contains(one.getKey()) && !saysNothing(one.getValue())) throw unsupported(what + ": " + one.getKey());
    }

    /** "FirstStrike" as "first strike". */
    static String spaced(String word) {
        return word.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ENGLISH);
    }

    // ---------------------------------------------------------------------------------------- THE CARDS

    /** Real cards by the names of their classes, invented ones put together from the engine's stock abilities. */
    static final class Cards {
        private static final Map<String, Class<?>> CLASSES = new HashMap<>();

        static Card made(JsonObject said) {
            JsonObject definition = record(said, "definition");
            Card card = flag(said, "real") ? named(text(definition, "name")) : new Invented(definition);
            if (flag(said, "real")) compare(card, definition);
            return card;
        }

        static Card named(String name) {
            Class<?> known = CLASSES.computeIfAbsent(name, Cards::classOf);
            if (known == void.class) throw unsupported("no card " + name);
            Card card = CardImpl.createCard(known, new CardSetInfo(name, "CON", "1", Rarity.COMMON));
            if (card == null) throw unsupported("no card " + name);
            return card;
        }

        /** "Urborg, Tomb of Yawgmoth" is UrborgTombOfYawgmoth. */
        private static Class<?> classOf(String name) {
            String plain = Normalizer.normalize(name.split(" // ")[0], Normalizer.Form.NFKD).replaceAll("[^\\x00-\\x7F]", "").replaceAll("['.,!?\"]", "");
            StringBuilder made = new StringBuilder();
            for (String word : plain.split("[^A-Za-z0-9]+")) if (!word.isEmpty()) made.append(word.substring(0, 1).toUpperCase(Locale.ENGLISH)).append(word.substring(1));
            String folder = made.substring(0, 1).toLowerCase(Locale.ENGLISH);
            for (String where : List.of("mage.cards." + folder + "." + made, "mage.cards.basiclands." + made))
                try {
                    return Class.forName(where);
                } catch (ClassNotFoundException | NoClassDefFoundError missing) {
                    continue;
                }
            return void.class;
        }

        /** The engine's card has to have printed on it what the scenario's has. */
        private static void compare(Card card, JsonObject definition) {
            List<String> told = new ArrayList<>(texts(definition, "types")), has = new ArrayList<>();
            for (CardType type : card.getCardType()) has.add(type.toString());
            told.addAll(texts(definition, "subtypes"));
            for (SubType type : card.getSubtype()) has.add(type.getDescription());
            Collections.sort(told);
            Collections.sort(has);
            String cost = String.join("", card.getManaCostSymbols());
            boolean same = told.equals(has) && cost.equals(text(definition, "cost"));
            if (number(definition, "power", -99) > -99 && number(definition, "toughness", -99) > -99)
                same &= card.getPower().getValue() == number(definition, "power", 0) && card.getToughness().getValue() == number(definition, "toughness", 0);
            if (card instanceof DoubleFacedCard && !definition.has("back")) throw unsupported(text(definition, "name") + " has a back there");
            if (!same) throw unsupported(text(definition, "name") + " is printed otherwise there: " + has + " " + cost);
            if (text(definition, "name").equals("Hurly-Burly")) throw unsupported("its modes are in another order there");
        }
    }

    /** What the scenario calls abilities, found again by the engine's own class and wording. */
    static final class Names {
        private final Map<String, Set<String>> known = new HashMap<>();
        /** The same by card: an ability of one card may be in the words of another's, which is called otherwise. */
        private final Map<String, Set<String>> ofCard = new HashMap<>();
        /** Triggered abilities within others (what something gains), of cards whose insides the shim cannot see. */
        private final Set<String> inner = new LinkedHashSet<>();
        /** Activated abilities within others, of such cards. */
        private final Set<String> given = new HashSet<>();
        /** Abilities, after the names of their cards, of which it is not known which of the engine's they are. */
        private final Set<String> untold = new HashSet<>();

        void learn(Card card, JsonObject definition) {
            Map<String, List<String>> said = new HashMap<>();
            for (JsonObject one : list(definition, "abilities")) {
                said.computeIfAbsent(kind(one), key -> new ArrayList<>()).add(text(one, "name"));
                within(one, card);
            }
            Map<String, List<Ability>> there = new HashMap<>();
            Set<UUID> ofKeywords = new HashSet<>();
            for (Ability one : card.getAbilities())
                if (keyword(one) != null)
                    for (Ability part : one.getSubAbilities()) {
                        ofKeywords.add(part.getId());
                        called(part, keyword(one));
                    }
            for (Ability one : card.getAbilities())
                if (keyword(one) == null && !ofKeywords.contains(one.getId()) && !(one instanceof SpellAbility) && !(one instanceof PlayLandAbility)) {
                    String kind = one instanceof ActivatedManaAbilityImpl ? "mana" : one instanceof ActivatedAbility ? "activated" : one instanceof TriggeredAbility ? "triggered" : "";
                    there.computeIfAbsent(kind, key -> new ArrayList<>()).add(one);
                }
            // What adds mana may be an ordinary activated ability there.
            List<String> activated = list(definition, "abilities").stream().filter(one -> List.of("mana", "activated").contains(kind(one))).map(one -> text(one, "name")).toList();
            List<Ability> able = card.getAbilities().stream().filter(one -> there.values().stream().anyMatch(all -> all.contains(one)) && one instanceof ActivatedAbility).toList();
            boolean otherwise = activated.size() == able.size() && said.getOrDefault("mana", List.of()).size() > there.getOrDefault("mana", List.of()).size();
            for (int n = 0; otherwise && n < able.size(); n++) called(card, able.get(n), activated.get(n));
            for (String kind : otherwise ? List.of("triggered") : List.of("mana", "activated", "triggered")) {
                List<String> names = said.getOrDefault(kind, List.of());
                List<Ability> abilities = there.getOrDefault(kind, List.of());
                for (int n = 0; n < abilities.size(); n++) {
                    String name = names.size() == abilities.size() ? names.get(n) : names.stream().distinct().count() == 1 ? names.get(0) : null;
                    if (name == null && kind.equals("mana")) name = withSymbols(abilities.get(n), definition);
                    if (name != null) called(card, abilities.get(n), name);
                    else for (String one : names) untold.add(card.getName() + ": " + one);
                }
            }
        }

        /** The one mana ability of a definition that can add the mana of an ability, which the engine has for each color alone. */
        private static String withSymbols(Ability ability, JsonObject definition) {
            java.util.regex.Matcher symbols = java.util.regex.Pattern.compile("\\{[WUBRGC]}").matcher(ability.getRule().replaceAll(".*?: ", ""));
            Set<String> made = new TreeSet<>();
            while (symbols.find()) made.add(symbols.group());
            List<JsonObject> fit = list(definition, "abilities").stream()
                .filter(one -> kind(one).equals("mana") && made.stream().allMatch(one.get("effect").toString()::contains)).toList();
            return made.isEmpty() || fit.size() != 1 ? null : text(fit.get(0), "name");
        }

        /** Whether a definition has an ability of that name, but it is not known which of the engine's it is. */
        boolean untold(String name, List<Card> cards) {
            return given.contains(name) || cards.stream().anyMatch(one -> untold.contains(one.getName() + ": " + name));
        }

        private void called(Card card, Ability ability, String name) {
            called(ability, name);
            ofCard.computeIfAbsent(card.getName() + ": " + key(ability), key -> new LinkedHashSet<>()).add(name);
        }

        /** Whether an ability is called so on the card of that name. */
        boolean isOf(String card, Ability ability, String name) {
            return ofCard.getOrDefault(card + ": " + key(ability), Set.of()).contains(name);
        }

        private void called(Ability ability, String name) {
            known.computeIfAbsent(key(ability), key -> new LinkedHashSet<>()).add(name);
        }

        private static String kind(JsonObject ability) {
            return text(ability, "is").equals("activated") && isMana(ability) ? "mana" : text(ability, "is");
        }

        /** Abilities that are quoted in others. */
        private void within(JsonElement said, Card card) {
            if (said instanceof JsonArray all) for (JsonElement one : all) within(one, card);
            if (!(said instanceof JsonObject object)) return;
            for (Map.Entry<String, JsonElement> one : object.entrySet()) within(one.getValue(), card);
            // What a real card gives to something else, or what its tokens have.
            if (!text(object, "op").equals("gain") && (card instanceof Invented || !object.has("subtypes"))) return;
            for (JsonObject one : list(object, "abilities")) {
                if (text(one, "name").isEmpty()) continue;
                if (card instanceof Invented) called(Stock.quoted(one), text(one, "name"));
                else if (text(one, "is").equals("triggered")) inner.add(text(one, "name"));
                else if (text(one, "is").equals("activated") && !isMana(one)) given.add(text(one, "name"));
            }
        }

        private static boolean isMana(JsonObject ability) {
            List<JsonObject> effect = list(ability, "effect");
            return !effect.isEmpty() && effect.stream().anyMatch(one -> text(one, "then").equals("add_mana") || text(one, "then").equals("one_of") && one.toString().contains("\"add_mana\"")) && saysNothing(ability.get("targets"))
                && list(ability, "cost").stream().noneMatch(one -> text(one, "cost").equals("loyalty"));
        }

        private static String key(Ability ability) {
            return ability.getClass().getName() + " " + ability.getRule();
        }

        /** Whether an ability is called that. */
        boolean is(Ability ability, String name) {
            Set<String> names = known.get(key(ability));
            return names == null ? of(ability).equals(name) : names.contains(name);
        }

        String of(Ability ability) {
            Set<String> names = known.get(key(ability));
            if (names != null) return names.iterator().next();
            if (ability instanceof ActivatedManaAbilityImpl) return "mana";
            String word = keyword(ability);
            if (word != null) return word;
            if (ability instanceof ReflexiveTriggeredAbility) return "when you do";
            // The ability that exiles what was cast for its warp cost is part of the keyword.
            if (ability instanceof DelayedTriggeredAbility && ability.getEffects().stream().anyMatch(one -> one.getClass().getSimpleName().equals("WarpExileEffect"))) return "warp";
            if (ability instanceof DelayedTriggeredAbility) return "later";
            if (ability instanceof TriggeredAbility && inner.size() > 1) throw unsupported("which of these an ability is: " + inner);
            return ability instanceof TriggeredAbility && inner.size() == 1 ? inner.iterator().next() : "ability";
        }
    }

    /** A card that nobody printed. */
    static final class Invented extends CardImpl {
        Invented(JsonObject definition) {
            super(null, new CardSetInfo(text(definition, "name"), "CON", "1", Rarity.COMMON), types(definition), text(definition, "cost"));
            only(definition, "a card", "name", "cost", "types", "subtypes", "supertypes", "colors", "power", "toughness", "abilities", "loyalty");
            for (String one : texts(definition, "subtypes")) subtype.add(Stock.subtype(one));
            for (String one : texts(definition, "supertypes")) supertype.add(SuperType.valueOf(one.toUpperCase(Locale.ENGLISH)));
            if (definition.get("colors") instanceof JsonArray colors) {
                color = new ObjectColor();
                for (JsonElement one : colors) color.addColor(colorOf(one.getAsString()));
            }
            power = new MageInt(number(definition, "power", 0));
            toughness = new MageInt(number(definition, "toughness", 0));
            Stock.give(this, definition);
        }

        private Invented(Invented other) { super(other); }
        @Override public Invented copy() { return new Invented(this); }

        private static CardType[] types(JsonObject definition) {
            return texts(definition, "types").stream().map(one -> CardType.valueOf(one.toUpperCase(Locale.ENGLISH))).toArray(CardType[]::new);
        }
    }

    static ObjectColor colorOf(String word) {
        return switch (word) {
            case "white" -> ObjectColor.WHITE;
            case "blue" -> ObjectColor.BLUE;
            case "black" -> ObjectColor.BLACK;
            case "red" -> ObjectColor.RED;
            case "green" -> ObjectColor.GREEN;
            default -> throw unsupported("the colour " + word);
        };
    }

    /** A token that nobody printed. */
    static final class InventedToken extends TokenImpl {
        InventedToken(JsonObject definition) {
            super(text(definition, "name"), "");
            only(definition, "a token", "name", "types", "subtypes", "supertypes", "colors", "power", "toughness", "abilities");
            for (String one : texts(definition, "types")) cardType.add(CardType.valueOf(one.toUpperCase(Locale.ENGLISH)));
            for (String one : texts(definition, "subtypes")) subtype.add(Stock.subtype(one));
            for (String one : texts(definition, "supertypes")) supertype.add(SuperType.valueOf(one.toUpperCase(Locale.ENGLISH)));
            for (String one : texts(definition, "colors")) color.addColor(colorOf(one));
            power = new MageInt(number(definition, "power", 0));
            toughness = new MageInt(number(definition, "toughness", 0));
            for (JsonObject one : list(definition, "abilities")) addAbility(Stock.keyword(one));
        }

        private InventedToken(InventedToken other) { super(other); }
        @Override public InventedToken copy() { return new InventedToken(this); }
    }

    /**
     * Definitions in the engine's stock classes, put together as its own cards are; what is done to the types and colours of
     * many objects at once has a class of our own (Ours). What is said in neither of these ways is unsupported.
     */
    static final class Stock {
        private final CardImpl card;
        private Stock(CardImpl card) {
            this.card = card;
        }

        static void give(CardImpl card, JsonObject definition) {
            Stock stock = new Stock(card);
            if (number(definition, "loyalty", 0) > 0) card.setStartingLoyalty(number(definition, "loyalty", 0));
            for (String one : texts(definition, "subtypes")) {
                Ability mana = card.getCardType().contains(CardType.LAND) ? manaOf(one) : null;
                if (mana != null) card.addAbility(mana);
            }
            // As on the engine's own cards: being legendary by itself does nothing to a spell there.
            if (card.getSuperType().contains(SuperType.LEGENDARY) && (card.getCardType().contains(CardType.INSTANT) || card.getCardType().contains(CardType.SORCERY)))
                card.addAbility(new LegendarySpellAbility());
            for (JsonObject one : list(definition, "abilities")) stock.add(one);
            if (text(definition, "power").contains("*") && list(definition, "abilities").stream().noneMatch(one -> text(one, "is").equals("defines")))
                throw unsupported("a power that nothing defines");
        }

        /** The mana ability of a basic land type. */
        static Ability manaOf(String type) {
            return switch (type) {
                case "Plains" -> new WhiteManaAbility();
                case "Island" -> new BlueManaAbility();
                case "Swamp" -> new BlackManaAbility();
                case "Mountain" -> new RedManaAbility();
                case "Forest" -> new GreenManaAbility();
                default -> null;
            };
        }

        private void add(JsonObject ability) {
            switch (text(ability, "is")) {
                case "keyword" -> addKeyword(ability);
                case "static" -> card.addAbility(fixed(ability, () -> isAura() ? AttachmentType.AURA : AttachmentType.EQUIPMENT));
                case "triggered" -> card.addAbility(triggered(ability));
                case "activated" -> card.addAbility(activated(ability));
                case "spell" -> spell(ability);
                case "as_enters" -> asEnters(ability);
                case "defines" -> defines(ability);
                default -> throw unsupported("an ability that is " + text(ability, "is"));
            }
        }

        private boolean isAura() {
            return card.getSubtype().contains(SubType.AURA);
        }

        static SubType subtype(String word) {
            if (word.equals("chosen type")) throw unsupported("the type that was chosen, there");
            try {
                return SubType.byDescription(word);
            } catch (IllegalArgumentException unknown) {
                throw unsupported("the subtype " + word);
            }
        }

        // ------------------------------------------------------------------------------------ who and how many

        /** Permanents, as the engine's own filters say it. */
        static FilterPermanent permanents(JsonObject who) {
            if (!List.of("all", "").contains(text(who, "who"))) throw unsupported("whom it affects: " + text(who, "who"));
            if (who.has("zones") && !texts(who, "zones").isEmpty() && !texts(who, "zones").equals(List.of("battlefield"))) throw unsupported("things in " + texts(who, "zones"));
            only(who, "a filter", "who", "zones", "type", "subtype", "supertype", "color", "controller", "other_than", "without", "tapped", "attacking",
                "token", "keyword", "power", "toughness", "colorless", "multicolored", "any_of", "name", "mana_value", "blocking", "counter");
            boolean creatures = texts(who, "type").contains("Creature");
            // Abilities are found again by their words, so those about other permanents have other words.
            String words = (creatures ? "creatures" : "permanents") + who.toString().replaceAll("[^A-Za-z0-9+-]+", " ");
            FilterPermanent filter = creatures ? new FilterCreaturePermanent(words) : new FilterPermanent(words);
            for (mage.filter.predicate.Predicate<MageObject> one : likeness(who)) filter.add(one);
            controller(who, filter);
            if (texts(who, "subtype").contains("chosen type")) filter.add(ChosenSubtypePredicate.TRUE);
            if (texts(who, "color").contains("chosen color")) filter.add(ChosenColorPredicate.TRUE);
            if (record(who, "other_than") != null) {
                if (!text(record(who, "other_than"), "who").equals("this")) throw unsupported("other than " + text(record(who, "other_than"), "who"));
                filter.add(AnotherPredicate.instance);
            }
            if (who.has("tapped") && who.get("tapped").isJsonPrimitive()) filter.add(who.get("tapped").getAsBoolean() ? TappedPredicate.TAPPED : TappedPredicate.UNTAPPED);
            if (flag(who, "attacking")) filter.add(AttackingPredicate.instance);
            if (flag(who, "blocking")) filter.add(BlockingPredicate.instance);
            if (!text(who, "counter").isEmpty()) {
                CounterType kind = CounterType.findByName(text(who, "counter"));
                if (kind == null) throw unsupported("things with " + text(who, "counter") + " counters");
                filter.add(kind.getPredicate());
            }
            if (who.has("token") && who.get("token").isJsonPrimitive()) filter.add(who.get("token").getAsBoolean() ? TokenPredicate.TRUE : TokenPredicate.FALSE);
            return filter;
        }

        private static void controller(JsonObject who, FilterPermanent filter) {
            JsonObject controller = record(who, "controller");
            if (controller != null)
                switch (text(controller, "who")) {
                    case "you" -> filter.add(TargetController.YOU.getControllerPredicate());
                    case "opponents" -> filter.add(TargetController.OPPONENT.getControllerPredicate());
                    default -> throw unsupported("controlled by " + text(controller, "who"));
                }
        }

        /** What a filter says of types, colours and the like. */
        private static List<mage.filter.predicate.Predicate<MageObject>> likeness(JsonObject who) {
            List<mage.filter.predicate.Predicate<MageObject>> all = new ArrayList<>();
            for (String one : texts(who, "type")) all.add(CardType.valueOf(one.toUpperCase(Locale.ENGLISH)).getPredicate());
            for (String one : texts(who, "subtype")) {
                if (!one.equals("chosen type")) all.add(subtype(one).getPredicate());
            }
            for (String one : texts(who, "supertype")) all.add(SuperType.valueOf(one.toUpperCase(Locale.ENGLISH)).getPredicate());
            for (String one : texts(who, "color")) if (!one.equals("chosen color")) all.add(new ColorPredicate(colorOf(one)));
            for (String one : texts(who, "keyword")) all.add(new AbilityPredicate(plainKeyword(one).getClass()));
            if (flag(who, "colorless")) all.add(ColorlessPredicate.instance);
            if (flag(who, "multicolored")) all.add(MulticoloredPredicate.instance);
            if (!text(who, "name").isEmpty()) all.add(new NamePredicate(text(who, "name")));
            for (String key : List.of("power", "toughness", "mana_value")) {
                JsonObject how = record(who, key);
                if (how == null) continue;
                if (key.equals("mana_value") && List.of("even", "odd").contains(text(how, "how"))) {
                    all.add(text(how, "how").equals("even") ? ManaValueParityPredicate.EVEN : ManaValueParityPredicate.ODD);
                    continue;
                }
                if (!how.has("n") || !how.get("n").isJsonPrimitive()) throw unsupported("a filter: " + key);
                ComparisonType type = switch (text(how, "how")) {
                    case ">=" -> ComparisonType.OR_GREATER;
                    case "<=" -> ComparisonType.OR_LESS;
                    case "=" -> ComparisonType.EQUAL_TO;
                    default -> throw unsupported("comparing by " + text(how, "how"));
                };
                int n = number(how, "n", 0);
                all.add(key.equals("power") ? new PowerPredicate(type, n) : key.equals("toughness") ? new ToughnessPredicate(type, n) : new ManaValuePredicate(type, n));
            }
            for (JsonObject one : list(who, "without")) all.add(Predicates.not(alone(one)));
            List<mage.filter.predicate.Predicate<MageObject>> either = new ArrayList<>();
            for (JsonObject one : list(who, "any_of")) either.add(alone(one));
            if (!either.isEmpty()) all.add(Predicates.or(either));
            return all;
        }

        /** What was chosen is known to filters of permanents only. */
        private static void nothingChosen(JsonObject who) {
            if (texts(who, "subtype").contains("chosen type") || texts(who, "color").contains("chosen color")) throw unsupported("what was chosen, in a filter like this");
        }

        private static mage.filter.predicate.Predicate<MageObject> alone(JsonObject filter) {
            nothingChosen(filter);
            only(filter, "a filter", "type", "subtype", "supertype", "color", "keyword", "power", "toughness", "colorless", "multicolored", "name", "mana_value", "without", "any_of");
            return Predicates.and(likeness(filter));
        }

        static DynamicValue quantity(JsonElement said) {
            if (said == null || said.isJsonNull()) return StaticValue.get(0);
            if (said.isJsonPrimitive() && said.getAsJsonPrimitive().isNumber()) return StaticValue.get(said.getAsInt());
            if (said.isJsonPrimitive() && said.getAsString().equals("X")) return GetXValue.instance;
            if (said.isJsonObject() && text(said.getAsJsonObject(), "num").equals("X")) return GetXValue.instance;
            if (said.isJsonObject() && text(said.getAsJsonObject(), "num").equals("count")) {
                JsonObject count = said.getAsJsonObject();
                only(count, "a count", "num", "of", "distinct");
                if (List.of("", "objects").contains(text(count, "distinct"))) return new PermanentsOnBattlefieldCount(permanents(record(count, "of")));
            }
            if (said.isJsonObject() && text(said.getAsJsonObject(), "num").equals("sum")) {
                JsonObject sum = said.getAsJsonObject();
                only(sum, "a sum", "num", "parts");
                List<DynamicValue> parts = new ArrayList<>();
                for (JsonElement one : sum.getAsJsonArray("parts")) parts.add(quantity(one));
                return new AdditiveDynamicValue(parts);
            }
            if (said.isJsonObject() && text(said.getAsJsonObject(), "num").equals("times")) {
                JsonObject times = said.getAsJsonObject();
                only(times, "a product", "num", "n", "by");
                return new MultipliedValue(quantity(times.get("by")), plain(times, "n"));
            }
            if (said.isJsonObject() && text(said.getAsJsonObject(), "num").equals("property")) {
                JsonObject property = said.getAsJsonObject();
                only(property, "a property", "num", "what", "of", "over");
                if (text(record(property, "of"), "who").equals("this"))
                    switch (text(property, "what")) {
                        case "power" -> { return SourcePermanentPowerValue.ALLOW_NEGATIVE; }
                        case "toughness" -> { return SourcePermanentToughnessValue.instance; }
                        default -> { }
                    }
                if (text(property, "what").equals("life") && text(record(property, "of"), "who").equals("you")) return ControllerLifeCount.instance;
                if (text(property, "what").equals("hand_size") && text(record(property, "of"), "who").equals("you")) return CardsInControllerHandCount.ANY;
                throw unsupported("a number: " + text(property, "what") + " of " + text(record(property, "of"), "who"));
            }
            throw unsupported("a number: " + (said.isJsonObject() ? text(said.getAsJsonObject(), "num") : said.getAsString()));
        }

        private static int plain(JsonObject record, String key) {
            JsonElement n = record.get(key);
            if (n == null || !n.isJsonPrimitive() || !n.getAsJsonPrimitive().isNumber()) throw unsupported("a number that is not plain");
            return n.getAsInt();
        }

        // ------------------------------------------------------------------------------------------- keywords

        static Ability plainKeyword(String word) {
            return switch (word) {
                case "flying" -> FlyingAbility.getInstance();
                case "first strike" -> FirstStrikeAbility.getInstance();
                case "double strike" -> DoubleStrikeAbility.getInstance();
                case "trample" -> TrampleAbility.getInstance();
                case "haste" -> HasteAbility.getInstance();
                case "vigilance" -> VigilanceAbility.getInstance();
                case "deathtouch" -> DeathtouchAbility.getInstance();
                case "lifelink" -> LifelinkAbility.getInstance();
                case "reach" -> ReachAbility.getInstance();
                case "defender" -> DefenderAbility.getInstance();
                case "indestructible" -> IndestructibleAbility.getInstance();
                case "hexproof" -> HexproofAbility.getInstance();
                case "shroud" -> ShroudAbility.getInstance();
                case "flash" -> FlashAbility.getInstance();
                case "infect" -> InfectAbility.getInstance();
                case "wither" -> WitherAbility.getInstance();
                case "menace" -> new MenaceAbility();
                case "fear" -> FearAbility.getInstance();
                case "intimidate" -> IntimidateAbility.getInstance();
                case "shadow" -> ShadowAbility.getInstance();
                case "horsemanship" -> HorsemanshipAbility.getInstance();
                case "flanking" -> new FlankingAbility();
                case "skulk" -> new SkulkAbility();
                case "changeling" -> new ChangelingAbility();
                case "persist" -> new PersistAbility();
                case "undying" -> new UndyingAbility();
                case "prowess" -> new ProwessAbility();
                case "exalted" -> new ExaltedAbility();
                case "convoke" -> new ConvokeAbility();
                case "storm" -> new StormAbility();
                case "cascade" -> new CascadeAbility();
                case "split second" -> new SplitSecondAbility();
                default -> throw unsupported("the keyword " + word);
            };
        }

        /** A keyword for a thing that has or gains it. */
        static Ability keyword(JsonObject said) {
            if (!text(said, "is").equals("keyword")) throw unsupported("a quoted ability that is " + text(said, "is"));
            String word = text(said, "keyword");
            JsonObject what = record(said, "what");
            switch (word) {
                case "protection" -> {
                    only(said, word, "is", "keyword", "what");
                    List<String> colors = texts(what, "color");
                    only(what, word, "color", "who", "zones");
                    if (colors.size() != 1) throw unsupported("protection from that");
                    return ProtectionAbility.from(colorOf(colors.get(0)));
                }
                case "landwalk" -> {
                    only(said, word, "is", "keyword", "what");
                    return switch (String.join(" ", texts(what, "subtype"))) {
                        case "Plains" -> new PlainswalkAbility();
                        case "Island" -> new IslandwalkAbility();
                        case "Swamp" -> new SwampwalkAbility();
                        case "Mountain" -> new MountainwalkAbility();
                        case "Forest" -> new ForestwalkAbility();
                        default -> throw unsupported("landwalk of that kind");
                    };
                }
                default -> {
                    only(said, word, "is", "keyword");
                    return plainKeyword(word);
                }
            }
        }

        private void addKeyword(JsonObject said) {
            String mana = text(said, "mana"), word = text(said, "keyword");
            List<JsonObject> costs = list(said, "costs");
            if (word.equals("morph") && costs.size() == 1 && mana.isEmpty()) {
                card.addAbility(new MorphAbility(card, cost(costs.get(0))));
                return;
            }
            if (!costs.isEmpty()) throw unsupported(word + " with a cost other than mana");
            if (List.of("equip", "morph", "kicker", "multikicker", "buyback", "flashback", "cycling", "unearth", "echo").contains(word))
                only(said, word, "is", "keyword", "mana", "costs");
            switch (word) {
                case "enchant" -> {
                    JsonObject what = record(said, "what");
                    if (what == null) throw unsupported("enchant player");
                    if (card.getSpellAbility() == null) throw unsupported("an Aura that is a land");
                    if (card.getSpellAbility().getTargets().size() > 0) throw unsupported("several enchant abilities");
                    FilterPermanent filter = permanents(what);
                    List<String> types = texts(what, "type");
                    if (types.size() == 1 && what.entrySet().stream().filter(one -> !saysNothing(one.getValue())).map(Map.Entry::getKey).allMatch(List.of("who", "zones", "type")::contains))
                        filter.setMessage(types.get(0).toLowerCase(Locale.ENGLISH));
                    TargetPermanent target = new TargetPermanent(filter);
                    if (types.equals(List.of("Creature"))) {
                        only(what, "what an Aura enchants", "who", "zones", "type", "controller");
                        JsonObject whose = record(what, "controller");
                        if (whose == null) target = new TargetCreaturePermanent();
                        else if (text(whose, "who").equals("you")) target = new TargetControlledCreaturePermanent();
                        else throw unsupported("enchant creature of another player");
                    }
                    card.getSpellAbility().addTarget(target);
                    card.getSpellAbility().addEffect(new AttachEffect(Outcome.BoostCreature));
                    card.addAbility(new EnchantAbility(target));
                }
                case "equip" -> card.addAbility(new EquipAbility(Outcome.BoostCreature, new ManaCostsImpl<>(mana), false));
                case "morph" -> card.addAbility(new MorphAbility(card, new ManaCostsImpl<>(mana)));
                case "kicker" -> card.addAbility(new KickerAbility(mana));
                case "multikicker" -> card.addAbility(new MultikickerAbility(mana));
                case "buyback" -> card.addAbility(new BuybackAbility(mana));
                case "flashback" -> card.addAbility(new FlashbackAbility(card, new ManaCostsImpl<>(mana)));
                case "cycling" -> card.addAbility(new CyclingAbility(new ManaCostsImpl<>(mana)));
                case "unearth" -> card.addAbility(new UnearthAbility(new ManaCostsImpl<>(mana)));
                case "echo" -> card.addAbility(new EchoAbility(mana));
                case "changeling" -> card.addAbility(new ChangelingAbility());
                case "devoid" -> card.addAbility(new DevoidAbility(card.getColor()));
                default -> card.addAbility(keyword(said));
            }
        }

        // ------------------------------------------------------------------------------------ static abilities

        /** A static ability on the battlefield; each operation is an effect of its own there, as on the engine's cards. */
        private static Ability fixed(JsonObject said, Supplier<AttachmentType> attachment) {
            only(said, "a static ability", "is", "parts", "cond", "zones");
            if (!texts(said, "zones").isEmpty() && !texts(said, "zones").equals(List.of("battlefield"))) throw unsupported("a static ability in " + texts(said, "zones"));
            List<Effect> effects = new ArrayList<>();
            for (JsonObject part : list(said, "parts"))
                effects.addAll(continuous(part, Duration.WhileOnBattlefield, attachment, null));
            JsonObject cond = record(said, "cond");
            if (cond != null) {
                Condition condition = condition(cond, "as long as");
                effects.replaceAll(one -> {
                    if (one instanceof ContinuousEffect && !(one instanceof RestrictionEffect)) return new ConditionalContinuousEffect((ContinuousEffect) one, condition, "conditional");
                    throw unsupported("a condition of that");
                });
            }
            Ability ability = new SimpleStaticAbility(effects.get(0));
            for (Effect one : effects.subList(1, effects.size())) ability.addEffect(one);
            return ability;
        }

        private static Condition condition(JsonObject cond, String where) {
            switch (text(cond, "if")) {
                case "exists" -> {
                    only(cond, "exists", "if", "who");
                    return new PermanentsOnTheBattlefieldCondition(permanents(record(cond, "who")), false);
                }
                case "not" -> {
                    only(cond, "not", "if", "part");
                    JsonObject part = record(cond, "part");
                    if (text(part, "if").equals("exists")) return new PermanentsOnTheBattlefieldCondition(permanents(record(part, "who")), ComparisonType.EQUAL_TO, 0, false);
                    throw unsupported(where + ": not " + text(part, "if"));
                }
                case "turn" -> {
                    only(cond, "turn", "if", "of");
                    if (text(record(cond, "of"), "who").equals("you")) return MyTurnCondition.instance;
                }
                default -> { }
            }
            throw unsupported(where + ": " + text(cond, "if"));
        }

        /** What an effect does, one by one: several abilities that are gained are several operations there. */
        private static List<JsonObject> operations(JsonObject effect) {
            List<JsonObject> found = new ArrayList<>();
            for (JsonObject does : list(effect, "does")) {
                String op = text(does, "op"), key = op.equals("gain") ? "abilities" : List.of("lose", "cannot_have").contains(op) ? "keywords" : "";
                if (key.isEmpty()) found.add(does);
                else
                    for (JsonElement one : does.getAsJsonArray(key)) {
                        JsonObject single = does.deepCopy();
                        JsonArray alone = new JsonArray();
                        alone.add(one);
                        single.add(key, alone);
                        found.add(single);
                    }
            }
            return found;
        }

        /** A continuous effect: an effect of the engine's for each operation, but where the first would hide whom the next ones are to affect. */
        private static List<Effect> continuous(JsonObject said, Duration duration, Supplier<AttachmentType> attachment, List<String> targets) {
            JsonObject who = record(said, "affects");
            List<JsonObject> all = operations(said);
            if (all.isEmpty()) throw unsupported("an effect that does nothing");
            if (all.size() > 1 && text(who, "who").equals("all") && all.stream().anyMatch(does -> hides(does, who))) {
                for (JsonObject does : all) fitting(does, who);
                return List.of(Ours.made(all, who, permanents(who), duration));
            }
            List<Effect> found = new ArrayList<>();
            for (JsonObject does : all) found.add(continuous(does, who, duration, attachment, targets));
            return found;
        }

        /** Whether what is affected is, after this, no more what the effect is about. */
        private static boolean hides(JsonObject does, JsonObject who) {
            return switch (Ours.layerOf(text(does, "op"))) {
                case "types" -> !saysNothing(who.get("without")) || !saysNothing(who.get("any_of")) || !texts(who, "subtype").isEmpty()
                    || text(does, "op").equals("set_types") && !texts(does, "types").containsAll(texts(who, "type"));
                case "colours" -> !saysNothing(who.get("without")) || !texts(who, "color").isEmpty() || flag(who, "colorless") || flag(who, "multicolored");
                case "abilities" -> text(does, "op").startsWith("lose") && !texts(who, "keyword").isEmpty();
                default -> false;
            };
        }

        /** One operation of a continuous effect on whom it affects. Null for `targets`: it belongs to a static ability. */
        private static Effect continuous(JsonObject does, JsonObject who, Duration duration, Supplier<AttachmentType> attachment, List<String> targets) {
            String op = text(does, "op"), whom = text(who, "who");
            boolean lasting = targets == null;
            if (whom.equals("the") && !lasting && targets.contains(text(who, "name"))) {
                int place = targets.indexOf(text(who, "name"));
                if (targets instanceof Aims aims) fitting(does, aims.what.get(place));
                return pointed(onTarget(does, op, duration), place);
            }
            if (whom.equals("all") || texts(does, "subtypes").stream().anyMatch(Ours.BASICS::contains)) fitting(does, who);
            switch (whom) {
                case "all" -> {
                    if (op.equals("costs") || op.equals("as_though_flash")) return ofSpells(does, op, who, lasting);
                    FilterPermanent filter = permanents(who);
                    if (Ours.can(does)) return Ours.made(does, who, filter, duration);
                    switch (op) {
                        case "modify" -> {
                            only(does, op, "op", "power", "toughness");
                            return new BoostAllEffect(quantity(does.get("power")), quantity(does.get("toughness")), duration, filter, false);
                        }
                        case "base" -> {
                            only(does, op, "op", "power", "toughness");
                            if (saysNothing(does.get("power")) || saysNothing(does.get("toughness"))) break;
                            return new SetBasePowerToughnessAllEffect(quantity(does.get("power")), quantity(does.get("toughness")), duration, filter);
                        }
                        case "gain" -> {
                            return new GainAbilityAllEffect(gained(does), duration, filter);
                        }
                        case "lose" -> {
                            return new LoseAbilityAllEffect(lost(does), duration, filter);
                        }
                        case "lose_all_abilities" -> {
                            only(does, op, "op");
                            return new LoseAllAbilitiesAllEffect(filter, duration);
                        }
                        case "cannot_have" -> {
                            only(does, op, "op", "keywords");
                            if (filter instanceof FilterCreaturePermanent creatures) return new CreaturesCantGetOrHaveAbilityEffect(plainKeyword(texts(does, "keywords").get(0)), duration, creatures);
                        }
                        case "must" -> {
                            only(does, op, "op", "do");
                            if (filter instanceof FilterCreaturePermanent creatures && text(does, "do").equals("attack")) return new AttacksIfAbleAllEffect(creatures, duration);
                            if (filter instanceof FilterCreaturePermanent creatures && text(does, "do").equals("block")) return new BlocksIfAbleAllEffect(creatures, duration);
                        }
                        case "enters_tapped" -> {
                            if (lasting) return new PermanentsEnterBattlefieldTappedEffect(filter);
                        }
                        case "prevent_damage" -> {
                            only(does, op, "op", "by", "combat");
                            JsonObject by = record(does, "by");
                            if (by == null || by.entrySet().stream().allMatch(one -> saysNothing(one.getValue()))) return new PreventAllDamageToAllEffect(duration, filter, flag(does, "combat"));
                        }
                        case "switch" -> {
                            if (who.entrySet().stream().allMatch(one -> List.of("who", "type", "zones").contains(one.getKey()) || saysNothing(one.getValue())) && texts(who, "type").equals(List.of("Creature")))
                                return new SwitchPowerToughnessAllEffect(duration);
                        }
                        case "cannot" -> {
                            only(does, op, "op", "do");
                            if (filter instanceof FilterCreaturePermanent creatures)
                                switch (String.join(" ", texts(does, "do"))) {
                                    case "attack" -> { return new CantAttackAllEffect(duration, creatures); }
                                    case "block" -> { return new CantBlockAllEffect(creatures, duration); }
                                    case "be blocked" -> { return new CantBeBlockedAllEffect(creatures, duration); }
                                    default -> { }
                                }
                        }
                        default -> { }
                    }
                }
                case "attached" -> {
                    AttachmentType by = attachment.get();
                    switch (op) {
                        case "modify" -> {
                            only(does, op, "op", "power", "toughness");
                            DynamicValue power = quantity(does.get("power")), toughness = quantity(does.get("toughness"));
                            return by == AttachmentType.AURA ? new BoostEnchantedEffect(power, toughness) : new BoostEquippedEffect(power, toughness);
                        }
                        case "base" -> {
                            only(does, op, "op", "power", "toughness");
                            return new SetBasePowerToughnessAttachedEffect(plain(does, "power"), plain(does, "toughness"), by);
                        }
                        case "gain" -> {
                            return new GainAbilityAttachedEffect(gained(does), by);
                        }
                        case "lose" -> {
                            return new LoseAbilityAttachedEffect(lost(does), by);
                        }
                        case "lose_all_abilities" -> {
                            only(does, op, "op");
                            return new LoseAllAbilitiesAttachedEffect(by);
                        }
                        case "set_colors" -> {
                            return new SetCardColorAttachedEffect(colors(does), duration, by);
                        }
                        case "add_colors" -> {
                            return new AddCardColorAttachedEffect(colors(does), by);
                        }
                        case "add_types" -> {
                            only(does, op, "op", "types", "subtypes");
                            if (texts(does, "types").size() == 1 && texts(does, "subtypes").isEmpty()) return new AddCardTypeAttachedEffect(type(texts(does, "types").get(0)), by);
                            if (texts(does, "types").isEmpty() && texts(does, "subtypes").size() == 1) return new AddCardSubtypeAttachedEffect(subtype(texts(does, "subtypes").get(0)), by);
                        }
                        case "control" -> {
                            only(does, op, "op", "player");
                            if (!text(record(does, "player"), "who").equals("you")) throw unsupported("control for " + text(record(does, "player"), "who"));
                            return new ControlEnchantedEffect();
                        }
                        case "cannot" -> {
                            only(does, op, "op", "do");
                            switch (String.join(" ", texts(does, "do"))) {
                                case "attack" -> { return new CantAttackAttachedEffect(by); }
                                case "block" -> { return new CantBlockAttachedEffect(by); }
                                case "attack block" -> { return new CantAttackBlockAttachedEffect(by); }
                                default -> { }
                            }
                        }
                        case "must" -> {
                            only(does, op, "op", "do");
                            if (text(does, "do").equals("attack")) return new AttacksIfAbleAttachedEffect(duration, by);
                        }
                        default -> { }
                    }
                    if (Ours.can(does)) return Ours.made(does, who, null, duration);
                }
                case "this" -> {
                    switch (op) {
                        case "modify" -> {
                            only(does, op, "op", "power", "toughness");
                            return new BoostSourceEffect(quantity(does.get("power")), quantity(does.get("toughness")), duration);
                        }
                        case "base" -> {
                            only(does, op, "op", "power", "toughness");
                            return new SetBasePowerToughnessSourceEffect(plain(does, "power"), plain(does, "toughness"), duration);
                        }
                        case "gain" -> {
                            return new GainAbilitySourceEffect(gained(does), duration);
                        }
                        case "lose" -> {
                            return new LoseAbilitySourceEffect(lost(does), duration);
                        }
                        case "set_colors" -> {
                            return new BecomesColorSourceEffect(colors(does), duration);
                        }
                        case "add_types" -> {
                            only(does, op, "op", "types", "subtypes");
                            if (!texts(does, "types").isEmpty() && texts(does, "subtypes").isEmpty())
                                return new AddCardTypeSourceEffect(duration, texts(does, "types").stream().map(Stock::type).toArray(CardType[]::new));
                            if (texts(does, "types").isEmpty() && !texts(does, "subtypes").isEmpty())
                                return new AddCardSubTypeSourceEffect(duration, true, texts(does, "subtypes").stream().map(Stock::subtype).toArray(SubType[]::new));
                        }
                        case "switch" -> {
                            return new SwitchPowerToughnessSourceEffect(duration);
                        }
                        case "cannot" -> {
                            only(does, op, "op", "do");
                            switch (String.join(" ", texts(does, "do"))) {
                                case "attack" -> { return new CantAttackSourceEffect(duration); }
                                case "block" -> { return new CantBlockSourceEffect(duration); }
                                case "be blocked" -> { return new CantBeBlockedSourceEffect(duration); }
                                default -> { }
                            }
                        }
                        case "must" -> {
                            only(does, op, "op", "do", "by");
                            if (!saysNothing(does.get("by"))) break;
                            switch (text(does, "do")) {
                                case "attack" -> { return new AttacksIfAbleSourceEffect(duration, true); }
                                case "block" -> { return new BlocksIfAbleSourceEffect(duration); }
                                case "be blocked" -> { return new MustBeBlockedByAtLeastOneSourceEffect(duration); }
                                default -> { }
                            }
                        }
                        default -> { }
                    }
                    if (Ours.can(does)) return Ours.made(does, who, null, duration);
                }
                case "opponents", "everyone" -> {
                    switch (op) {
                        case "cannot" -> {
                            return forbidden(does, whom, duration);
                        }
                        case "land_drops" -> {
                            if (whom.equals("everyone")) return new PlayAdditionalLandsAllEffect(plain(does, "plus"));
                        }
                        default -> { }
                    }
                }
                case "you" -> {
                    switch (op) {
                        case "gain" -> {
                            return new GainAbilityControllerEffect(gained(does), duration);
                        }
                        case "hand_size" -> {
                            MaximumHandSizeControllerEffect.HandSizeModification how = switch (text(does, "how")) {
                                case "set" -> MaximumHandSizeControllerEffect.HandSizeModification.SET;
                                case "plus" -> MaximumHandSizeControllerEffect.HandSizeModification.INCREASE;
                                default -> null;
                            };
                            return new MaximumHandSizeControllerEffect(how == null ? Integer.MAX_VALUE : plain(does, "n"), duration,
                                how == null ? MaximumHandSizeControllerEffect.HandSizeModification.SET : how);
                        }
                        case "land_drops" -> {
                            return new PlayAdditionalLandsControllerEffect(plain(does, "plus"), duration);
                        }
                        case "skip_step" -> {
                            if (text(does, "step").equals("draw") && lasting) return new SkipDrawStepEffect();
                            if (text(does, "step").equals("untap") && lasting) return new SkipUntapStepEffect();
                        }
                        case "cannot" -> {
                            return forbidden(does, whom, duration);
                        }
                        default -> { }
                    }
                }
                default -> { }
            }
            throw unsupported("no stock effect: " + op + " of " + (whom.equals("the") ? "what was named" : whom));
        }

        /** The engine's cards put subtypes only on what is of the card type that has them, so nothing else is asked of it. */
        private static void fitting(JsonObject does, JsonObject whom) {
            List<String> types = new ArrayList<>(texts(does, "types"));
            if (whom != null) types.addAll(texts(whom, "type"));
            List<String> words = new ArrayList<>(texts(does, "subtypes"));
            if (text(does, "op").equals("every_type")) words.add(text(does, "of").equals("creature") ? "Bear" : "Plains");
            if (text(does, "op").equals("lose_types")) return;
            for (String word : words) {
                SubTypeSet set = word.equals("chosen type") ? SubTypeSet.CreatureType : subtype(word).getSubTypeSet();
                String type = switch (set) {
                    case CreatureType -> "Creature";
                    case BasicLandType, NonBasicLandType -> "Land";
                    case ArtifactType -> "Artifact";
                    case EnchantmentType -> "Enchantment";
                    default -> "";
                };
                boolean its = types.contains(type) || whom != null && texts(whom, "subtype").stream().anyMatch(one -> !one.equals("chosen type") && subtype(one).getSubTypeSet() == set);
                if (!its) throw unsupported("the subtype " + word + " for what need not be able to have it");
            }
        }

        /** "Your opponents can't cast spells" and the like. */
        private static Effect forbidden(JsonObject does, String whom, Duration duration) {
            only(does, "cannot", "op", "do", "what");
            TargetController whose = switch (whom) {
                case "you" -> TargetController.YOU;
                case "opponents" -> TargetController.OPPONENT;
                default -> TargetController.ANY;
            };
            JsonObject what = record(does, "what");
            switch (String.join(" ", texts(does, "do"))) {
                case "cast" -> {
                    FilterSpell filter = null;
                    if (what != null) {
                        only(what, "a filter", "who", "zones", "type", "subtype", "color", "without", "any_of", "mana_value");
                        nothingChosen(what);
                        filter = new FilterSpell("spells");
                        for (mage.filter.predicate.Predicate<MageObject> one : likeness(what)) filter.add(one);
                    }
                    return new CastsNone(duration, whose, filter);
                }
                case "gain life" -> {
                    if (what == null) return new CantGainLifeAllEffect(duration, whose);
                }
                default -> { }
            }
            throw unsupported("no stock effect: cannot " + texts(does, "do") + " of " + whom);
        }

        private static Effect onTarget(JsonObject does, String op, Duration duration) {
            switch (op) {
                case "modify" -> {
                    only(does, op, "op", "power", "toughness");
                    return new BoostTargetEffect(quantity(does.get("power")), quantity(does.get("toughness")), duration);
                }
                case "base" -> {
                    only(does, op, "op", "power", "toughness");
                    return new SetBasePowerToughnessTargetEffect(plain(does, "power"), plain(does, "toughness"), duration);
                }
                case "gain" -> {
                    return new GainAbilityTargetEffect(gained(does), duration);
                }
                case "lose" -> {
                    return new LoseAbilityTargetEffect(lost(does), duration);
                }
                case "lose_all_abilities" -> {
                    only(does, op, "op");
                    return new LoseAllAbilitiesTargetEffect(duration);
                }
                case "set_colors" -> {
                    return new BecomesColorTargetEffect(colors(does), duration);
                }
                case "add_colors" -> {
                    return new BecomesColorTargetEffect(colors(does), true, duration);
                }
                case "switch" -> {
                    return new SwitchPowerToughnessTargetEffect(duration);
                }
                case "control" -> {
                    only(does, op, "op", "player");
                    if (text(record(does, "player"), "who").equals("you")) return new GainControlTargetEffect(duration);
                }
                case "add_types" -> {
                    only(does, op, "op", "types", "subtypes");
                    if (!texts(does, "types").isEmpty() && texts(does, "subtypes").isEmpty())
                        return new AddCardTypeTargetEffect(duration, texts(does, "types").stream().map(Stock::type).toArray(CardType[]::new));
                    if (texts(does, "types").isEmpty() && texts(does, "subtypes").size() == 1) return new AddCardSubTypeTargetEffect(subtype(texts(does, "subtypes").get(0)), duration);
                }
                case "basic_land_type" -> {
                    return new BecomesBasicLandTargetEffect(duration, texts(does, "subtypes").stream().map(Stock::subtype).toArray(SubType[]::new));
                }
                case "cannot" -> {
                    only(does, op, "op", "do");
                    switch (String.join(" ", texts(does, "do"))) {
                        case "attack" -> { return new CantAttackTargetEffect(duration); }
                        case "block" -> { return new CantBlockTargetEffect(duration); }
                        case "be blocked" -> { return new CantBeBlockedTargetEffect(duration); }
                        default -> { }
                    }
                }
                case "must" -> {
                    only(does, op, "op", "do");
                    if (text(does, "do").equals("attack")) return new AttacksIfAbleTargetEffect(duration);
                    if (text(does, "do").equals("block")) return new BlocksIfAbleTargetEffect(duration);
                }
                default -> { }
            }
            if (Ours.can(does)) return Ours.made(does, null, null, duration);
            throw unsupported("no stock effect: " + op + " of a target");
        }

        private static Effect ofSpells(JsonObject does, String op, JsonObject who, boolean lasting) {
            if (!texts(who, "zones").equals(List.of("stack")) || !lasting) throw unsupported("no stock effect: " + op + " like this");
            only(who, "a filter", "who", "zones", "type", "subtype", "color", "controller", "without");
            nothingChosen(who);
            FilterCard filter = new FilterCard("spells");
            for (mage.filter.predicate.Predicate<MageObject> one : likeness(who)) filter.add(one);
            String whose = record(who, "controller") == null ? "" : text(record(who, "controller"), "who");
            if (op.equals("as_though_flash")) {
                only(does, op, "op");
                if (whose.equals("opponents")) throw unsupported("no stock effect: " + op + " like this");
                return new CastAsThoughItHadFlashAllEffect(Duration.WhileOnBattlefield, filter, whose.isEmpty());
            }
            only(does, op, "op", "how", "mana", "times");
            List<String> symbols = symbols(text(does, "mana"));
            if (number(does, "times", 1) != 1) throw unsupported("no stock effect: " + op + " like this");
            boolean generic = symbols.size() == 1 && symbols.get(0).matches("\\d+");
            switch (text(does, "how")) {
                case "more" -> {
                    TargetController target = whose.equals("you") ? TargetController.YOU : whose.equals("opponents") ? TargetController.OPPONENT : TargetController.ANY;
                    return generic ? new SpellsCostIncreasingAllEffect(Integer.parseInt(symbols.get(0)), filter, target) : new SpellsCostIncreasingAllEffect(new ManaCostsImpl<>(text(does, "mana")), filter, target);
                }
                case "less" -> {
                    if (generic && whose.equals("you")) return new SpellsCostReductionControllerEffect(filter, Integer.parseInt(symbols.get(0)));
                    if (generic && whose.isEmpty()) return new SpellsCostReductionAllEffect(filter, Integer.parseInt(symbols.get(0)));
                    if (whose.equals("you")) return new SpellsCostReductionControllerEffect(filter, new ManaCostsImpl<>(text(does, "mana")), StaticValue.get(1), true);
                }
                default -> { }
            }
            throw unsupported("no stock effect: costs " + text(does, "how"));
        }

        static CardType type(String word) {
            return CardType.valueOf(word.toUpperCase(Locale.ENGLISH));
        }

        static ObjectColor colors(JsonObject does) {
            ObjectColor color = new ObjectColor();
            for (String one : texts(does, "colors")) color.addColor(colorOf(one));
            return color;
        }

        static Ability gained(JsonObject does) {
            only(does, "gain", "op", "abilities");
            List<JsonObject> abilities = list(does, "abilities");
            if (abilities.size() != 1) throw unsupported("gaining several abilities at once");
            JsonObject one = abilities.get(0);
            return quoted(one);
        }

        static Ability quoted(JsonObject said) {
            return switch (text(said, "is")) {
                case "static" -> fixed(said, () -> { throw unsupported("a quoted ability of what is attached"); });
                case "triggered" -> triggered(said);
                case "activated" -> activated(said);
                case "defines" -> new SimpleStaticAbility(quotedSize(said));
                default -> keyword(said);
            };
        }

        /** What says in quotes of its object's size or colour is no definition, but an effect like any other (CR 604.3a). */
        private static Effect quotedSize(JsonObject said) {
            only(said, "defines", "is", "does");
            List<JsonObject> does = list(said, "does");
            JsonObject one = does.get(0);
            if (does.size() > 1) throw unsupported("a quoted definition of several things");
            if (text(one, "op").equals("set_colors")) return new BecomesColorSourceEffect(colors(one), Duration.WhileOnBattlefield);
            only(one, "base", "op", "power", "toughness");
            if (!text(one, "op").equals("base") || saysNothing(one.get("power")) || saysNothing(one.get("toughness"))) throw unsupported("a quoted definition of " + text(one, "op"));
            return new SetBasePowerToughnessSourceEffect(quantity(one.get("power")), quantity(one.get("toughness")), Duration.WhileOnBattlefield, "its size is this");
        }

        static Ability lost(JsonObject does) {
            only(does, "lose", "op", "keywords");
            if (texts(does, "keywords").size() != 1) throw unsupported("losing several keywords at once");
            return plainKeyword(texts(does, "keywords").get(0));
        }

        // ------------------------------------------------------------------------------------- what happens

        private static Effect pointed(Effect effect, int place) {
            if (place == 1) effect.setTargetPointer(new SecondTargetPointer());
            if (place == 2) effect.setTargetPointer(new ThirdTargetPointer());
            if (place > 2) throw unsupported("more than three targets");
            return effect;
        }

        private static Duration until(String word) {
            return switch (word) {
                case "end of turn", "this turn" -> Duration.EndOfTurn;
                case "ever", "" -> Duration.EndOfGame;
                case "your next turn" -> Duration.UntilYourNextTurn;
                default -> throw unsupported("until " + word);
            };
        }

        /** What targets are called, and what they have to be. */
        static final class Aims extends ArrayList<String> {
            final List<JsonObject> what = new ArrayList<>();
        }

        /** What an ability or a spell targets, in order, and what these targets are called. */
        private static Aims targets(JsonObject said, Consumer<Target> add) {
            Aims names = new Aims();
            for (JsonObject one : list(said, "targets")) {
                only(one, "a target", "by", "least", "most", "name", "what", "any_target", "players");
                if (!text(record(one, "by"), "who").equals("you")) throw unsupported("a target that another player chooses");
                int least = plain(one, "least"), most = plain(one, "most");
                JsonObject what = record(one, "what"), players = record(one, "players");
                Target target;
                if (what == null && players == null && !flag(one, "any_target")) throw unsupported("a target of which nothing is said");
                if (what != null && (players != null || flag(one, "any_target"))) throw unsupported("a target that is one of several kinds");
                if (flag(one, "any_target")) target = new TargetAnyTarget(least, most);
                else if (players != null) target = switch (text(players, "who")) {
                    case "everyone" -> new TargetPlayer(least, most, false);
                    case "opponents" -> new TargetOpponent(least, most, false);
                    default -> throw unsupported("a target among " + text(players, "who"));
                };
                else if (texts(what, "zones").equals(List.of("stack"))) {
                    only(what, "a filter", "who", "zones", "type", "subtype", "color", "without", "any_of", "mana_value");
                    nothingChosen(what);
                    FilterSpell filter = new FilterSpell("spell");
                    for (mage.filter.predicate.Predicate<MageObject> each : likeness(what)) filter.add(each);
                    target = new TargetSpell(least, most, filter);
                } else if (texts(what, "zones").equals(List.of("graveyard"))) {
                    only(what, "a filter", "who", "zones", "type", "subtype", "color", "without", "of");
                    nothingChosen(what);
                    FilterCard filter = new FilterCard("card");
                    for (mage.filter.predicate.Predicate<MageObject> each : likeness(what)) filter.add(each);
                    JsonObject of = record(what, "of");
                    if (of != null && !text(of, "who").equals("you")) throw unsupported("a graveyard of " + text(of, "who"));
                    target = of == null ? new TargetCardInGraveyard(least, most, filter) : new TargetCardInYourGraveyard(least, most, filter);
                } else target = new TargetPermanent(least, most, permanents(what), false);
                add.accept(target);
                names.add(text(one, "name"));
                names.what.add(what);
            }
            return names;
        }

        /** One instruction as an effect. */
        private static Effect instruction(JsonObject said, List<String> targets) {
            String then = text(said, "then");
            switch (then) {
                case "gain_life", "lose_life", "draw" -> {
                    only(said, then, "then", "n", "who");
                    DynamicValue n = quantity(said.get("n"));
                    JsonObject who = record(said, "who");
                    int target = text(who, "who").equals("the") ? targets.indexOf(text(who, "name")) : -1;
                    if (target >= 0) return pointed(then.equals("gain_life") ? new GainLifeTargetEffect(n) : then.equals("lose_life") ? new LoseLifeTargetEffect(n) : new DrawCardTargetEffect(n), target);
                    switch (then + " " + text(who, "who")) {
                        case "gain_life you" -> { return new GainLifeEffect(n); }
                        case "lose_life you" -> { return new LoseLifeSourceControllerEffect(n); }
                        case "lose_life opponents" -> { return new LoseLifeOpponentsEffect(n); }
                        case "lose_life everyone" -> { return new LoseLifeAllPlayersEffect(n); }
                        case "draw you" -> { return new DrawCardSourceControllerEffect(n); }
                        case "draw everyone" -> { return new DrawCardAllEffect(n); }
                        default -> throw unsupported("no stock effect: " + then + " of " + text(who, "who"));
                    }
                }
                case "discard" -> {
                    only(said, then, "then", "n", "who");
                    switch (text(record(said, "who"), "who")) {
                        case "you" -> { return new DiscardControllerEffect(quantity(said.get("n"))); }
                        case "everyone" -> { return new DiscardEachPlayerEffect(quantity(said.get("n")), false); }
                        default -> { }
                    }
                }
                case "damage" -> {
                    only(said, then, "then", "n", "to", "by");
                    if (!text(record(said, "by"), "who").equals("this")) throw unsupported("damage by something else");
                    JsonObject to = record(said, "to");
                    DynamicValue n = quantity(said.get("n"));
                    switch (text(to, "who")) {
                        case "the" -> {
                            if (targets.contains(text(to, "name"))) return pointed(new DamageTargetEffect(n), targets.indexOf(text(to, "name")));
                        }
                        // Its cards deal damage to what can be dealt damage only.
                        case "all" -> {
                            if (texts(to, "type").contains("Creature") || texts(to, "type").contains("Planeswalker")) return new DamageAllEffect(n, permanents(to));
                        }
                        case "you" -> { return new DamageControllerEffect(n); }
                        case "opponents" -> { return new DamagePlayersEffect(n, TargetController.OPPONENT); }
                        case "everyone" -> { return new DamagePlayersEffect(n, TargetController.ANY); }
                        default -> { }
                    }
                }
                case "destroy", "exile", "tap", "untap" -> {
                    only(said, then, "then", "what", "name");
                    JsonObject what = record(said, "what");
                    int target = text(what, "who").equals("the") ? targets.indexOf(text(what, "name")) : -1;
                    if (target >= 0) return pointed(switch (then) {
                        case "destroy" -> new DestroyTargetEffect();
                        case "exile" -> new ExileTargetEffect();
                        case "tap" -> new TapTargetEffect();
                        default -> new UntapTargetEffect();
                    }, target);
                    if (text(what, "who").equals("this")) return switch (then) {
                        case "destroy" -> new DestroySourceEffect();
                        case "exile" -> new ExileSourceEffect();
                        case "tap" -> new TapSourceEffect();
                        default -> new UntapSourceEffect();
                    };
                    if (text(what, "who").equals("all")) return switch (then) {
                        case "destroy" -> new DestroyAllEffect(permanents(what));
                        case "exile" -> new ExileAllEffect(permanents(what));
                        case "tap" -> new TapAllEffect(permanents(what));
                        default -> new UntapAllEffect(permanents(what));
                    };
                }
                case "counter" -> {
                    only(said, then, "then", "what", "name");
                    if (text(record(said, "what"), "who").equals("the") && targets.contains(text(record(said, "what"), "name"))) return pointed(new CounterTargetEffect(), targets.indexOf(text(record(said, "what"), "name")));
                }
                case "sacrifice" -> {
                    only(said, then, "then", "what", "who", "n");
                    JsonObject what = record(said, "what");
                    if (text(what, "who").equals("this")) return new SacrificeSourceEffect();
                    if (text(what, "who").equals("all") && text(record(said, "who"), "who").equals("everyone")) return new SacrificeAllEffect(quantity(said.get("n")), permanents(what));
                    if (text(what, "who").equals("all") && text(record(said, "who"), "who").equals("you")) return new SacrificeControllerEffect(permanents(what), quantity(said.get("n")), "");
                }
                case "put_counters", "remove_counters" -> {
                    only(said, then, "then", "on", "counters");
                    List<JsonObject> piles = list(said, "counters");
                    if (piles.size() != 1) throw unsupported("several kinds of counters at once");
                    Counter counter = counter(text(piles.get(0), "kind"), plain(piles.get(0), "n"));
                    JsonObject on = record(said, "on");
                    int target = text(on, "who").equals("the") ? targets.indexOf(text(on, "name")) : -1;
                    if (then.equals("put_counters")) {
                        if (target >= 0) return pointed(new AddCountersTargetEffect(counter), target);
                        if (text(on, "who").equals("this")) return new AddCountersSourceEffect(counter);
                        if (text(on, "who").equals("all")) return new AddCountersAllEffect(counter, permanents(on));
                    } else if (target >= 0) return pointed(new RemoveCounterTargetEffect(counter), target);
                }
                case "create" -> {
                    only(said, then, "then", "token", "n", "who");
                    if (record(said, "token") != null && text(record(said, "who"), "who").equals("you")) return new CreateTokenEffect(new InventedToken(record(said, "token")), quantity(said.get("n")));
                }
                case "put" -> {
                    only(said, then, "then", "what", "to", "under");
                    JsonObject what = record(said, "what");
                    int target = text(what, "who").equals("the") ? targets.indexOf(text(what, "name")) : -1;
                    if (target == 0 && text(said, "to").equals("hand")) return new ReturnToHandTargetEffect();
                }
                case "effect" -> throw new IllegalStateException("a continuous effect is no single effect");
                case "add_mana" -> {
                    only(said, then, "then", "mana", "n", "who");
                    if (text(record(said, "who"), "who").equals("you") && !text(said, "mana").equals("any")) return new BasicManaEffect(manaOf(text(said, "mana"), plain(said, "n")));
                }
                case "copy_spell" -> {
                    only(said, then, "then", "what", "n", "new_targets");
                    if (flag(said, "new_targets") && plain(said, "n") == 1 && targets.contains(text(record(said, "what"), "name"))) return pointed(new CopyTargetStackObjectEffect(), targets.indexOf(text(record(said, "what"), "name")));
                }
                default -> { }
            }
            throw unsupported("no stock effect: " + then + " like this");
        }

        private static Mana manaOf(String symbols, int times) {
            Mana mana = new Mana();
            for (int n = 0; n < times; n++) for (String one : symbols(symbols)) mana.increase(mana(one));
            return mana;
        }

        /** A list of instructions as the engine's effects. */
        private static List<Effect> effects(List<JsonObject> instructions, List<String> targets) {
            List<Effect> found = new ArrayList<>();
            for (int n = 0; n < instructions.size(); n++) {
                JsonObject one = instructions.get(n);
                JsonObject next = n + 1 < instructions.size() ? instructions.get(n + 1) : null;
                if (text(one, "then").equals("choose") && paints(one, next, targets)) {
                    found.add(pointed(new BecomesColorTargetEffect(until(text(next, "until"))), targets.indexOf(text(record(next, "affects"), "name"))));
                    n++;
                } else if (blinks(one, next, targets)) {
                    found.add(new ExileThenReturnTargetEffect(text(record(next, "under"), "who").equals("you"), true));
                    n++;
                } else if (text(one, "then").equals("effect")) {
                    only(one, "an effect", "then", "affects", "does", "until");
                    found.addAll(continuous(one, until(text(one, "until")), () -> { throw unsupported("what is attached, for a while"); }, targets));
                } else found.add(instruction(one, targets));
            }
            if (found.isEmpty()) throw unsupported("an ability that does nothing");
            return found;
        }

        /** Choose a colour, and a target becomes that colour. */
        private static boolean paints(JsonObject one, JsonObject next, List<String> targets) {
            if (next == null || !text(one, "kind").equals("color") || !text(record(one, "who"), "who").equals("you") || !saysNothing(one.get("never"))) return false;
            List<JsonObject> does = list(next, "does");
            JsonObject affects = record(next, "affects");
            return text(next, "then").equals("effect") && does.size() == 1 && text(does.get(0), "op").equals("set_colors") && texts(does.get(0), "colors").equals(List.of("chosen color"))
                && text(affects, "who").equals("the") && targets.contains(text(affects, "name"));
        }

        /** Exile a target and put it back at once. */
        private static boolean blinks(JsonObject one, JsonObject next, List<String> targets) {
            if (next == null || !text(one, "then").equals("exile") || !text(next, "then").equals("put") || !text(next, "to").equals("battlefield")) return false;
            JsonObject what = record(one, "what"), again = record(next, "what");
            if (!text(what, "who").equals("the") || !text(again, "who").equals("the") || targets.indexOf(text(what, "name")) != 0) return false;
            only(next, "put", "then", "what", "to", "under");
            return List.of(text(what, "name"), text(one, "name")).contains(text(again, "name")) && List.of("you", "owner_of").contains(text(record(next, "under"), "who"));
        }

        /** Give an ability what it does, with its targets; several modes become the engine's modes. */
        private static void fill(Ability ability, JsonObject said, Effect already) {
            List<JsonObject> modes = list(said, "modes");
            if (modes.isEmpty()) {
                List<String> targets = targets(said, ability::addTarget);
                for (Effect one : effects(list(said, "effect"), targets)) if (already == null) ability.addEffect(one); else already = null;
                boolean spells = ability.getTargets().stream().anyMatch(one -> one instanceof TargetSpell);
                if (spells && ability.getEffects().stream().anyMatch(one -> one instanceof GainControlTargetEffect)) throw unsupported("control of a spell");
                return;
            }
            if (already != null) throw unsupported("modes of that");
            if (!list(said, "effect").isEmpty() || !list(said, "targets").isEmpty()) throw unsupported("an instruction or a target beside modes");
            int chosen = number(said, "modes_chosen", 1);
            ability.getModes().setMinModes(chosen);
            ability.getModes().setMaxModes(Math.max(chosen, number(said, "modes_most", chosen)));
            for (int n = 0; n < modes.size(); n++) {
                JsonObject one = modes.get(n);
                only(one, "a mode", "effect", "targets");
                List<Target> aims = new ArrayList<>();
                List<Effect> effects = effects(list(one, "effect"), targets(one, aims::add));
                if (n == 0) {
                    for (Effect each : effects) ability.addEffect(each);
                    for (Target each : aims) ability.addTarget(each);
                } else {
                    Mode mode = new Mode(effects.get(0));
                    for (Effect each : effects.subList(1, effects.size())) mode.addEffect(each);
                    for (Target each : aims) mode.addTarget(each);
                    ability.addMode(mode);
                }
            }
        }

        private void spell(JsonObject said) {
            only(said, "a spell", "is", "effect", "targets", "modes", "modes_chosen", "modes_most", "additional", "kicked");
            SpellAbility spell = card.getSpellAbility();
            if (spell == null) throw unsupported("a spell ability of a land");
            for (JsonObject one : list(said, "additional")) spell.addCost(cost(one));
            List<JsonObject> effect = list(said, "effect");
            if (effect.size() == 1 && text(effect.get(0), "then").equals("may")) {
                spell.addTarget(oneTarget(said));
                spell.addEffect(unlessPaid(effect.get(0)));
                return;
            }
            fill(spell, said, null);
            for (Effect one : effects(list(said, "kicked"), List.of(), true)) spell.addEffect(new ConditionalOneShotEffect((OneShotEffect) one, KickedCondition.ONCE));
        }

        private static List<Effect> effects(List<JsonObject> instructions, List<String> targets, boolean mayBeNone) {
            return instructions.isEmpty() && mayBeNone ? List.of() : effects(instructions, targets);
        }

        private static Target oneTarget(JsonObject said) {
            List<Target> found = new ArrayList<>();
            targets(said, found::add);
            if (found.size() != 1) throw unsupported("may like this");
            return found.get(0);
        }

        /** "Counter target spell unless its controller pays". */
        private static Effect unlessPaid(JsonObject may) {
            only(may, "may", "then", "cost", "otherwise", "who");
            List<JsonObject> cost = list(may, "cost"), otherwise = list(may, "otherwise");
            boolean its = text(record(may, "who"), "who").equals("controller_of");
            if (its && cost.size() == 1 && text(cost.get(0), "cost").equals("mana") && otherwise.size() == 1 && text(otherwise.get(0), "then").equals("counter"))
                return new CounterUnlessPaysEffect(new ManaCostsImpl<>(text(cost.get(0), "mana")));
            throw unsupported("may like this");
        }

        private static Cost cost(JsonObject said) {
            switch (text(said, "cost")) {
                case "mana" -> { return new ManaCostsImpl<>(text(said, "mana")); }
                case "tap" -> { return new TapSourceCost(); }
                case "untap" -> { return new UntapSourceCost(); }
                case "life" -> { return new PayLifeCost(plain(said, "n")); }
                case "discard" -> {
                    only(said, "discard", "cost", "n", "name");
                    if (plain(said, "n") == 1) return new DiscardCardCost();
                }
                case "sacrifice" -> {
                    only(said, "sacrifice", "cost", "n", "what", "name");
                    JsonObject what = record(said, "what");
                    if (text(what, "who").equals("this")) return new SacrificeSourceCost();
                    if (plain(said, "n") == 1) return new SacrificeTargetCost(permanents(what));
                }
                case "remove_counters" -> { return new RemoveCountersSourceCost(counter(text(said, "kind"), plain(said, "n"))); }
                case "exile" -> {
                    only(said, "exile", "cost", "n", "what", "zone", "name");
                    JsonObject what = record(said, "what");
                    if (text(said, "zone").equals("graveyard") && text(what, "who").equals("all")) {
                        only(what, "a filter", "who", "zones", "type", "subtype", "color", "without");
                        nothingChosen(what);
                        FilterCard filter = new FilterCard("cards");
                        for (mage.filter.predicate.Predicate<MageObject> one : likeness(what)) filter.add(one);
                        return new ExileFromGraveCost(new TargetCardInYourGraveyard(plain(said, "n"), filter));
                    }
                }
                case "mill" -> { return new MillCardsCost(plain(said, "n")); }
                default -> { }
            }
            throw unsupported("the cost " + text(said, "cost") + " like this");
        }

        private static Ability activated(JsonObject said) {
            only(said, "an activated ability", "is", "name", "cost", "effect", "targets", "modes", "modes_chosen", "by", "once", "zones", "sorcery");
            if (!texts(said, "zones").isEmpty() && !texts(said, "zones").equals(List.of("battlefield"))) throw unsupported("an ability in " + texts(said, "zones"));
            List<JsonObject> costs = list(said, "cost"), effect = list(said, "effect");
            // An ability that costs nothing says {0}.
            if (costs.isEmpty()) costs = List.of(JsonParser.parseString("{\"cost\": \"mana\", \"mana\": \"{0}\"}").getAsJsonObject());
            ActivatedAbilityImpl ability;
            if (text(costs.get(0), "cost").equals("loyalty")) {
                List<String> names = targets(said, one -> { });
                Effect first = effects(effect, names).get(0);
                LoyaltyAbility loyalty = new LoyaltyAbility(first, number(costs.get(0), "n", 0));
                fill(loyalty, said, first);
                return loyalty;
            }
            boolean mana = effect.size() == 1 && text(effect.get(0), "then").equals("add_mana") && saysNothing(said.get("targets"));
            Cost first = cost(costs.get(0));
            if (mana) {
                JsonObject makes = effect.get(0);
                only(makes, "add_mana", "then", "mana", "n", "who");
                if (!text(record(makes, "who"), "who").equals("you") || flag(said, "once")) throw unsupported("mana like this");
                if (text(makes, "mana").equals("any")) {
                    if (plain(makes, "n") != 1 || flag(said, "sorcery")) throw unsupported("mana like this");
                    ability = new AnyColorManaAbility(first);
                } else {
                    Mana made = manaOf(text(makes, "mana"), plain(makes, "n"));
                    ability = flag(said, "sorcery") ? new ActivateAsSorceryManaAbility(Zone.BATTLEFIELD, made, first) : new SimpleManaAbility(Zone.BATTLEFIELD, made, first);
                }
            } else {
                // Whether it would be a mana ability of the engine is the choice of whoever writes the card.
                for (JsonObject mode : list(said, "modes"))
                    for (JsonObject does : list(mode, "effect")) if (text(does, "then").equals("add_mana")) throw unsupported("mana in a mode");
                if (saysNothing(said.get("targets")) && effect.stream().anyMatch(does -> text(does, "then").equals("add_mana"))) throw unsupported("mana and something else");
                List<String> names = targets(said, one -> { });
                Effect begins = list(said, "modes").isEmpty() ? effects(effect, names).get(0) : null;
                if (begins instanceof ManaEffect) throw unsupported("mana like this");
                ability = flag(said, "once") ? new LimitedTimesPerTurnActivatedAbility(begins, first)
                    : flag(said, "sorcery") ? new ActivateAsSorceryActivatedAbility(begins, first) : new SimpleActivatedAbility(begins, first);
                if (begins == null) ability.getEffects().clear();
                fill(ability, said, begins);
            }
            for (JsonObject one : costs.subList(1, costs.size())) ability.addCost(cost(one));
            switch (text(record(said, "by"), "who")) {
                case "you" -> { }
                case "everyone" -> ability.setMayActivate(TargetController.ANY);
                case "opponents" -> ability.setMayActivate(TargetController.OPPONENT);
                default -> throw unsupported("activated by " + text(record(said, "by"), "who"));
            }
            return ability;
        }

        /** Whether an instruction asks for the number X. */
        private static boolean asksForX(JsonElement said) {
            if (said == null || said.isJsonNull() || said.isJsonPrimitive()) return false;
            if (said.isJsonArray()) return java.util.stream.StreamSupport.stream(said.getAsJsonArray().spliterator(), false).anyMatch(Stock::asksForX);
            return text(said.getAsJsonObject(), "num").equals("X") || said.getAsJsonObject().entrySet().stream().anyMatch(part -> asksForX(part.getValue()));
        }

        private static Ability triggered(JsonObject said) {
            only(said, "a triggered ability", "is", "name", "when", "effect", "targets", "modes", "modes_chosen", "zones", "cond");
            if (!texts(said, "zones").isEmpty() && !texts(said, "zones").equals(List.of("battlefield"))) throw unsupported("a trigger in " + texts(said, "zones"));
            JsonObject inner = said;
            boolean optional = false;
            List<JsonObject> effect = list(said, "effect");
            if (text(record(said, "when"), "on").equals("tapped_for_mana")) return manaTriggered(said);
            JsonObject when = record(said, "when");
            String on = text(when, "on");
            JsonObject cast = on.equals("cast") ? record(when, "what") : null;
            boolean arriving = on.equals("enters") && text(record(when, "who"), "who").equals("this") || cast != null && record(cast, "same_as") != null;
            if (!arriving && asksForX(said.get("effect"))) throw unsupported("X in an ability about anything but its own entering");
            if (effect.size() == 1 && text(effect.get(0), "then").equals("may")) {
                JsonObject may = effect.get(0);
                only(may, "may", "then", "effect", "who");
                if (!text(record(may, "who"), "who").equals("you")) throw unsupported("may like this");
                optional = true;
                inner = said.deepCopy();
                inner.add("effect", may.get("effect"));
            }
            List<String> names = targets(inner, one -> { });
            Effect first = list(inner, "modes").isEmpty() ? effects(list(inner, "effect"), names).get(0) : new InfoEffect("");
            TriggeredAbility ability = event(record(said, "when"), first, optional);
            if (record(said, "cond") != null) ability.withInterveningIf(condition(record(said, "cond"), "if"));
            if (!list(inner, "modes").isEmpty()) {
                ability.getEffects().clear();
                fill(ability, inner, null);
            } else fill(ability, inner, first);
            return ability;
        }

        /** "Whenever a land is tapped for mana, its controller adds …". */
        private static Ability manaTriggered(JsonObject said) {
            JsonObject when = record(said, "when");
            List<JsonObject> effect = list(said, "effect");
            only(when, "tapped_for_mana", "on", "who");
            if (effect.size() != 1 || !text(effect.get(0), "then").equals("add_mana") || record(said, "cond") != null) throw unsupported("a trigger on mana that does something else");
            JsonObject adds = effect.get(0);
            only(adds, "add_mana", "then", "mana", "n", "who");
            JsonObject who = record(adds, "who");
            if (!text(who, "who").equals("controller_of") || !text(record(who, "of"), "who").equals("it") || text(adds, "mana").equals("any")) throw unsupported("a trigger on mana that does something else");
            return new TapForManaAllTriggeredManaAbility(new AddManaToManaPoolTargetControllerEffect(manaOf(text(adds, "mana"), plain(adds, "n")), "their"), permanents(record(when, "who")), SetTargetPointer.PLAYER);
        }

        private static TriggeredAbility event(JsonObject when, Effect effect, boolean optional) {
            String on = text(when, "on");
            JsonObject who = record(when, "who");
            String whom = who == null ? "" : text(who, "who");
            switch (on) {
                case "enters" -> {
                    only(when, on, "on", "who");
                    if (whom.equals("this")) return new EntersBattlefieldTriggeredAbility(effect, optional);
                    if (whom.equals("all")) return new EntersBattlefieldAllTriggeredAbility(Zone.BATTLEFIELD, effect, permanents(who), optional, SetTargetPointer.NONE);
                }
                case "dies" -> {
                    only(when, on, "on", "who");
                    if (whom.equals("this")) return new DiesSourceTriggeredAbility(effect, optional);
                    if (whom.equals("all") && texts(who, "type").equals(List.of("Creature"))) return new DiesCreatureTriggeredAbility(effect, optional, permanents(who));
                }
                case "leaves" -> {
                    only(when, on, "on", "who");
                    if (whom.equals("this")) return new LeavesBattlefieldTriggeredAbility(effect, optional);
                }
                case "attacks" -> {
                    only(when, on, "on", "who");
                    if (whom.equals("this")) return new AttacksTriggeredAbility(effect, optional);
                    if (whom.equals("all") && permanents(who) instanceof FilterCreaturePermanent creatures) return new AttacksAllTriggeredAbility(effect, optional, creatures, SetTargetPointer.NONE, false);
                }
                case "becomes_blocked" -> {
                    only(when, on, "on", "who");
                    if (whom.equals("this")) return new BecomesBlockedSourceTriggeredAbility(effect, optional);
                }
                case "blocks" -> {
                    only(when, on, "on", "who");
                    if (whom.equals("this")) return new BlocksSourceTriggeredAbility(effect, optional);
                }
                case "becomes_tapped" -> {
                    only(when, on, "on", "who");
                    if (whom.equals("this")) return new BecomesTappedSourceTriggeredAbility(effect, optional);
                    if (whom.equals("all")) return new BecomesTappedTriggeredAbility(effect, optional, permanents(who));
                }
                case "becomes_target" -> {
                    only(when, on, "on", "who", "by");
                    if (whom.equals("this") && text(record(when, "by"), "who").equals("everyone") && !optional) return new BecomesTargetSourceTriggeredAbility(effect);
                }
                case "deals_damage" -> {
                    only(when, on, "on", "who");
                    if (whom.equals("this")) return new DealsDamageSourceTriggeredAbility(effect, optional);
                }
                case "discards" -> {
                    only(when, on, "on", "who");
                    if (whom.equals("you")) return new DiscardCardControllerTriggeredAbility(effect, optional);
                }
                case "draws" -> {
                    only(when, on, "on", "who");
                    if (whom.equals("you")) return new DrawCardControllerTriggeredAbility(effect, optional);
                }
                case "gains_life" -> {
                    only(when, on, "on", "who");
                    if (whom.equals("you")) return new GainLifeControllerTriggeredAbility(effect, optional);
                }
                case "cast" -> {
                    only(when, on, "on", "by", "what");
                    JsonObject what = record(when, "what");
                    FilterSpell filter = new FilterSpell("a spell");
                    if (what != null) {
                        only(what, "a filter", "type", "subtype", "color", "without", "who", "zones");
                        nothingChosen(what);
                        for (mage.filter.predicate.Predicate<MageObject> one : likeness(what)) filter.add(one);
                    }
                    switch (text(record(when, "by"), "who")) {
                        case "you" -> { return new SpellCastControllerTriggeredAbility(effect, filter, optional); }
                        case "opponents" -> { return new SpellCastOpponentTriggeredAbility(effect, filter, optional); }
                        case "everyone" -> { return new SpellCastAllTriggeredAbility(effect, filter, optional); }
                        default -> { }
                    }
                }
                case "beginning" -> {
                    only(when, on, "on", "of", "step");
                    TargetController whose = switch (text(record(when, "of"), "who")) {
                        case "you" -> TargetController.YOU;
                        case "opponents" -> TargetController.OPPONENT;
                        case "everyone" -> TargetController.ANY;
                        default -> throw unsupported("a step of " + text(record(when, "of"), "who"));
                    };
                    switch (text(when, "step")) {
                        case "upkeep" -> { return new BeginningOfUpkeepTriggeredAbility(whose, effect, optional); }
                        case "draw" -> { return new BeginningOfDrawTriggeredAbility(whose, effect, optional); }
                        case "precombat main" -> { return new BeginningOfFirstMainTriggeredAbility(whose, effect, optional); }
                        case "beginning of combat" -> { return new BeginningOfCombatTriggeredAbility(whose, effect, optional); }
                        case "postcombat main" -> { return new BeginningOfPostcombatMainTriggeredAbility(whose, effect, optional); }
                        case "end" -> { return new BeginningOfEndStepTriggeredAbility(whose, effect, optional); }
                        default -> { }
                    }
                }
                default -> { }
            }
            throw unsupported("no stock trigger: " + on + (whom.isEmpty() ? "" : " of " + whom));
        }

        private void asEnters(JsonObject said) {
            only(said, "as it enters", "is", "tapped", "counters", "choose", "copy", "may");
            if (flag(said, "tapped")) card.addAbility(new EntersBattlefieldTappedAbility());
            for (JsonObject pile : list(said, "counters")) card.addAbility(new EntersBattlefieldWithCountersAbility(counter(text(pile, "kind"), plain(pile, "n"))));
            for (JsonObject one : list(said, "choose")) {
                only(one, "choose", "kind", "least", "most", "name", "then", "who", "of");
                switch (text(one, "kind")) {
                    case "color" -> card.addAbility(new AsEntersBattlefieldAbility(new ChooseColorEffect(Outcome.Neutral)));
                    case "type" -> {
                        if (!text(one, "of").equals("creature type")) throw unsupported("choosing a " + text(one, "of"));
                        card.addAbility(new AsEntersBattlefieldAbility(new ChooseCreatureTypeEffect(Outcome.Neutral)));
                    }
                    default -> throw unsupported("choosing a " + text(one, "kind") + " as it enters");
                }
            }
            JsonObject copy = record(said, "copy");
            if (copy != null) {
                only(copy, "a copy", "of");
                card.addAbility(new EntersBattlefieldAbility(new CopyPermanentEffect(permanents(record(copy, "of"))), flag(said, "may")));
            }
        }

        private void defines(JsonObject said) {
            only(said, "defines", "is", "does");
            for (JsonObject does : list(said, "does")) {
                if (text(does, "op").equals("every_type") && text(does, "of").equals("creature")) {
                    card.addAbility(new SimpleStaticAbility(Zone.ALL, new IsAllCreatureTypesSourceEffect()));
                    continue;
                }
                if (!text(does, "op").equals("base")) throw unsupported("defining: " + text(does, "op"));
                only(does, "base", "op", "power", "toughness");
                boolean power = !saysNothing(does.get("power")), toughness = !saysNothing(does.get("toughness"));
                Effect effect;
                if (power && toughness && does.get("power").equals(does.get("toughness"))) effect = new SetBasePowerToughnessSourceEffect(quantity(does.get("power")));
                else if (power && !toughness) effect = new SetBasePowerSourceEffect(quantity(does.get("power")));
                else throw unsupported("defining power and toughness apart");
                card.addAbility(new SimpleStaticAbility(Zone.ALL, effect));
            }
        }
    }

    /**
     * What the engine has no stock class for: one thing done to types, colours or size of all that are affected. It has the form of the
     * engine's own cards (March of the Machines, Ygra, Conversion): the engine's filter says whom it affects, and what happens to each is a
     * call of the engine's. When it is applied, after what, and whether at all, the engine decides; what it changes and what it asks for
     * is told to the engine by the engine's own tags (DependencyType), as its cards tell it.
     */
    static final class Ours extends ContinuousEffectImpl {
        interface Deed { void to(Permanent permanent, Ability source, Game game); }

        /** What is done in one layer. */
        record Share(Layer layer, SubLayer sublayer, Deed deed) { }

        /** Whether effects of this class have tags, and whether such a tag has tied one to another effect since this was last set to false. */
        static boolean tagged = true, tied;

        private static final List<String> BASICS = List.of("Plains", "Island", "Swamp", "Mountain", "Forest");
        private final String whom;
        private final FilterPermanent filter;
        private final List<Share> shares;

        private Ours(List<Share> shares, Duration duration, String whom, FilterPermanent filter, String words) {
            super(duration, Outcome.Neutral);
            this.whom = whom;
            this.filter = filter;
            this.shares = shares.stream().sorted(Comparator.comparing(Share::layer)).toList();
            this.layer = this.shares.get(0).layer();
            this.sublayer = this.shares.get(0).sublayer();
            this.staticText = words;
        }

        private Ours(Ours other) {
            super(other);
            this.whom = other.whom;
            this.filter = other.filter == null ? null : other.filter.copy();
            this.shares = other.shares;
        }

        @Override public Ours copy() { return new Ours(this); }

        /** The engine asks this of each effect of a layer, when it puts them in order. */
        @Override
        public Set<UUID> isDependentTo(List<ContinuousEffect> layer) {
            Set<UUID> found = super.isDependentTo(layer);
            tied |= !found.isEmpty() || layer.stream().anyMatch(one -> !Collections.disjoint(one.getDependedToTypes(), dependencyTypes));
            return found;
        }

        @Override public boolean hasLayer(Layer layer) { return shares.stream().anyMatch(one -> one.layer() == layer); }
        @Override public boolean apply(Game game, Ability source) { return false; }

        @Override
        public void init(Ability source, Game game) {
            super.init(source, game);
            if (whom.equals("all") && getAffectedObjectsSet()) find(source, game);
        }

        /** In its first layer it finds whom it affects (March of the Machines); what a spell does has found them as it began. */
        @Override
        public boolean apply(Layer layer, SubLayer sublayer, Ability source, Game game) {
            for (Share share : shares) {
                if (share.layer() != layer || share.sublayer() != sublayer) continue;
                if (share == shares.get(0) && whom.equals("all") && !getAffectedObjectsSet()) find(source, game);
                for (Permanent one : affected(source, game)) if (one != null) share.deed().to(one, source, game);
            }
            return true;
        }

        private void find(Ability source, Game game) {
            affectedObjectList.clear();
            for (Permanent one : game.getBattlefield().getActivePermanents(filter, source.getControllerId(), source, game)) affectedObjectList.add(new MageObjectReference(one, game));
        }

        private List<Permanent> affected(Ability source, Game game) {
            return switch (whom) {
                case "all" -> affectedObjectList.stream().map(one -> one.getPermanent(game)).toList();
                case "attached" -> Collections.singletonList(source.getPermanentSourceAttachedToIfItStillExists(game));
                case "this" -> Collections.singletonList(source.getSourcePermanentIfItStillExists(game));
                default -> getTargetPointer().getTargets(game, source).stream().map(game::getPermanent).toList();
            };
        }

        static String layerOf(String op) {
            return switch (op) {
                case "add_types", "set_types", "lose_types", "set_creature_types", "basic_land_type", "every_type" -> "types";
                case "set_colors", "add_colors" -> "colours";
                case "base", "modify", "switch" -> "size";
                default -> "abilities";
            };
        }

        /** Whether an operation is done like this. */
        static boolean can(JsonObject does) {
            return switch (layerOf(text(does, "op"))) {
                case "types", "colours" -> true;
                case "size" -> !text(does, "op").equals("switch") && ofEach(does.get("power")) | ofEach(does.get("toughness"));
                default -> false;
            };
        }

        /** Whether a number is another one for each that is affected. */
        private static boolean ofEach(JsonElement number) {
            if (number instanceof JsonArray all) for (JsonElement one : all) if (ofEach(one)) return true;
            if (!(number instanceof JsonObject said)) return false;
            return text(said, "num").equals("property") ? text(record(said, "of"), "who").equals("it") : ofEach(said.get("parts"));
        }

        private static int number(JsonElement said, Permanent it, Ability source, Game game) {
            if (!ofEach(said)) return Stock.quantity(said).calculate(game, source, null);
            JsonObject number = said.getAsJsonObject();
            if (text(number, "num").equals("property")) return it.getManaValue();
            int sum = 0;
            for (JsonElement one : number.getAsJsonArray("parts")) sum += number(one, it, source, game);
            return sum;
        }

        /** Only its mana value can be asked of each. */
        private static void readable(JsonElement said) {
            if (said instanceof JsonArray all) for (JsonElement one : all) readable(one);
            else if (!ofEach(said)) Stock.quantity(said);
            else if (!text(said.getAsJsonObject(), "num").equals("property")) {
                only(said.getAsJsonObject(), "a sum", "num", "parts");
                readable(said.getAsJsonObject().get("parts"));
            } else if (!text(said.getAsJsonObject(), "what").equals("mana_value")) throw unsupported("a number: " + text(said.getAsJsonObject(), "what") + " of each");
        }

        static Ours made(JsonObject does, JsonObject who, FilterPermanent filter, Duration duration) {
            return made(List.of(does), who, filter, duration);
        }

        /** Several operations in one effect: where what is done in one layer would hide whom the next ones are to affect. */
        static Ours made(List<JsonObject> all, JsonObject who, FilterPermanent filter, Duration duration) {
            String whom = who == null ? "target" : text(who, "who");
            List<Share> shares = all.stream().map(Ours::share).toList();
            Ours made = new Ours(shares, duration, whom, filter, all + " of " + (who == null ? whom : who));
            for (JsonObject does : all) if (layerOf(text(does, "op")).equals("types")) made.tag(does, text(does, "op"), who);
            return made;
        }

        private static Share share(JsonObject does) {
            String op = text(does, "op");
            return switch (layerOf(op)) {
                case "types" -> new Share(Layer.TypeChangingEffects_4, SubLayer.NA, deed(does, op));
                case "colours" -> new Share(Layer.ColorChangingEffects_5, SubLayer.NA, deed(does, op));
                case "size" -> new Share(Layer.PTChangingEffects_7, op.equals("base") ? SubLayer.SetPT_7b : SubLayer.ModifyPT_7c, sized(does, op));
                default -> new Share(Layer.AbilityAddingRemovingEffects_6, SubLayer.NA, changed(does, op));
            };
        }

        private static Deed changed(JsonObject does, String op) {
            if (op.equals("lose_all_abilities")) {
                only(does, op, "op");
                return (one, source, game) -> one.removeAllAbilities(source.getSourceId(), game);
            }
            if (op.equals("lose")) {
                Ability lost = Stock.lost(does);
                return (one, source, game) -> one.removeAbility(lost, source.getSourceId(), game);
            }
            if (!op.equals("gain")) throw unsupported("an effect in several layers that does " + op);
            Ability ability = Stock.gained(does);
            return (one, source, game) -> one.addAbility(ability, source.getSourceId(), game);
        }

        private static Deed sized(JsonObject does, String op) {
            if (op.equals("switch")) throw unsupported("an effect in several layers that switches");
            only(does, op, "op", "power", "toughness");
            JsonElement power = does.get("power"), toughness = does.get("toughness");
            readable(power);
            readable(toughness);
            if (op.equals("base") && (saysNothing(power) || saysNothing(toughness))) throw unsupported("setting power and toughness apart");
            return (one, source, game) -> {
                int p = number(power, one, source, game), t = number(toughness, one, source, game);
                if (op.equals("base")) {
                    one.getPower().setModifiedBaseValue(p);
                    one.getToughness().setModifiedBaseValue(t);
                } else {
                    one.addPower(p);
                    one.addToughness(t);
                }
            };
        }

        private static Deed deed(JsonObject does, String op) {
            List<CardType> types = texts(does, "types").stream().map(Stock::type).toList();
            List<SubType> subtypes = texts(does, "subtypes").stream().map(Stock::subtype).toList();
            List<SuperType> supertypes = texts(does, "supertypes").stream().map(one -> SuperType.valueOf(one.toUpperCase(Locale.ENGLISH))).toList();
            switch (op) {
                case "add_types" -> {
                    only(does, op, "op", "types", "subtypes", "supertypes");
                    return (one, source, game) -> {
                        for (CardType type : types) one.addCardType(game, type);
                        for (SuperType type : supertypes) one.addSuperType(game, type);
                        for (SubType type : subtypes) add(one, type, source, game);
                    };
                }
                case "lose_types" -> {
                    only(does, op, "op", "types", "subtypes", "supertypes", "every");
                    List<String> every = texts(does, "every");
                    return (one, source, game) -> {
                        for (CardType type : types) {
                            one.removeCardType(game, type);
                            lose(one, type, game);
                        }
                        for (SuperType type : supertypes) one.removeSuperType(game, type);
                        for (SubType type : subtypes) one.removeSubType(game, type);
                        if (every.contains("creature")) one.removeAllCreatureTypes(game);
                        if (every.contains("land")) one.removeAllSubTypes(game, SubTypeSet.NonBasicLandType);
                    };
                }
                case "set_types" -> {
                    only(does, op, "op", "types");
                    if (types.size() != 1) throw unsupported("setting several card types");
                    return (one, source, game) -> {
                        one.removeAllCardTypes(game);
                        one.addCardType(game, types.get(0));
                        switch (types.get(0)) {
                            case ARTIFACT -> one.retainAllArtifactSubTypes(game);
                            case ENCHANTMENT -> one.retainAllEnchantmentSubTypes(game);
                            case LAND -> one.retainAllLandSubTypes(game);
                            default -> {
                                for (SubTypeSet set : SubTypeSet.values()) if (set != SubTypeSet.CreatureType) one.removeAllSubTypes(game, set);
                            }
                        }
                    };
                }
                case "set_creature_types" -> {
                    only(does, op, "op", "subtypes");
                    return (one, source, game) -> {
                        one.removeAllCreatureTypes(game);
                        for (SubType type : subtypes) one.addSubType(game, type);
                    };
                }
                case "basic_land_type" -> {
                    only(does, op, "op", "subtypes");
                    return (one, source, game) -> {
                        one.removeAllSubTypes(game, SubTypeSet.NonBasicLandType);
                        one.removeAllAbilities(source.getSourceId(), game);
                        for (SubType type : subtypes) add(one, type, source, game);
                    };
                }
                case "every_type" -> {
                    only(does, op, "op", "of");
                    if (text(does, "of").equals("creature")) return (one, source, game) -> one.setIsAllCreatureTypes(game, true);
                    return (one, source, game) -> {
                        for (String type : BASICS) add(one, Stock.subtype(type), source, game);
                    };
                }
                default -> {
                    only(does, op, "op", "colors");
                    if (texts(does, "colors").contains("chosen color")) throw unsupported("the chosen colour, for many");
                    ObjectColor color = Stock.colors(does);
                    return op.equals("set_colors") ? (one, source, game) -> one.getColor(game).setColor(color) : (one, source, game) -> one.getColor(game).addColor(color);
                }
            }
        }

        /** The subtypes that go with a card type, as the engine's cards take them off. */
        private static void lose(Permanent one, CardType type, Game game) {
            switch (type) {
                case ARTIFACT -> one.removeAllSubTypes(game, SubTypeSet.ArtifactType);
                case ENCHANTMENT -> one.removeAllSubTypes(game, SubTypeSet.EnchantmentType);
                case LAND -> one.removeAllSubTypes(game, SubTypeSet.NonBasicLandType);
                case CREATURE, KINDRED -> {
                    if (!one.isCreature(game) && !one.isKindred(game)) one.removeAllCreatureTypes(game);
                }
                default -> { }
            }
        }

        /** A subtype; a basic land type comes with its mana ability, as the engine's cards have it. */
        private static void add(Permanent one, SubType type, Ability source, Game game) {
            one.addSubType(game, type);
            Ability mana = Stock.manaOf(type.getDescription());
            if (mana != null && !one.getAbilities(game).containsRule(mana)) one.addAbility(mana, source.getSourceId(), game);
        }

        /** What it changes, and what it asks for. */
        private void tag(JsonObject does, String op, JsonObject who) {
            if (!tagged) return;
            List<String> made = new ArrayList<>(texts(does, "types"));
            made.addAll(texts(does, "subtypes"));
            if (op.equals("every_type") && text(does, "of").equals("basic land")) made.addAll(BASICS);
            // Without being a land it is no Swamp.
            if (op.equals("lose_types") && made.contains("Land")) made.addAll(BASICS);
            List<String> asked = new ArrayList<>();
            if (who != null) asked(who, asked);
            // It is no change to make something what it has to be already.
            made.removeAll(asked);
            // What is about Forests and the like is about lands already (Life and Limb).
            if (asked.stream().anyMatch(BASICS::contains)) made.remove("Land");
            // What is not basic any more is a nonbasic land.
            if (texts(does, "supertypes").contains("Basic")) made.add("Land");
            for (String word : made) addDependencyType(tag(word));
            // Whoever asks for a basic land type waits for all that give or take one (Life and Limb, Conversion).
            if (asked.stream().anyMatch(BASICS::contains)) asked.addAll(BASICS);
            for (String word : asked) if (tag(word) != null) addDependedToType(tag(word));
        }

        private static void asked(JsonElement filter, List<String> words) {
            if (filter instanceof JsonArray all) for (JsonElement one : all) asked(one, words);
            if (!(filter instanceof JsonObject said)) return;
            words.addAll(texts(said, "type"));
            words.addAll(texts(said, "subtype"));
            // Not for what it is not to be: March of the Machines has it so.
            asked(said.get("any_of"), words);
        }

        private static DependencyType tag(String word) {
            return switch (word) {
                case "Creature" -> DependencyType.BecomeCreature;
                case "Artifact" -> DependencyType.ArtifactAddingRemoving;
                case "Enchantment" -> DependencyType.EnchantmentAddingRemoving;
                case "Land" -> DependencyType.BecomeNonbasicLand;
                case "Plains", "Island", "Swamp", "Mountain", "Forest" -> DependencyType.valueOf("Become" + word);
                case "Aura" -> DependencyType.AuraAddingRemoving;
                default -> null;
            };
        }
    }

    /** "Your opponents can't cast spells", in the form of the engine's own cards (Grand Abolisher, Void Winnower). */
    static final class CastsNone extends ContinuousRuleModifyingEffectImpl {
        private final TargetController whose;
        private final FilterSpell filter;

        CastsNone(Duration duration, TargetController whose, FilterSpell filter) {
            super(duration, Outcome.Detriment);
            this.whose = whose;
            this.filter = filter;
            this.staticText = whose + " can't cast " + (filter == null ? "spells" : "some spells");
        }

        private CastsNone(CastsNone other) {
            super(other);
            this.whose = other.whose;
            this.filter = other.filter;
        }

        @Override public CastsNone copy() { return new CastsNone(this); }

        @Override
        public boolean checksEventType(mage.game.events.GameEvent event, Game game) {
            return event.getType() == (filter == null ? mage.game.events.GameEvent.EventType.CAST_SPELL : mage.game.events.GameEvent.EventType.CAST_SPELL_LATE);
        }

        @Override
        public boolean applies(mage.game.events.GameEvent event, Ability source, Game game) {
            boolean its = switch (whose) {
                case YOU -> source.isControlledBy(event.getPlayerId());
                case OPPONENT -> game.getOpponents(source.getControllerId()).contains(event.getPlayerId());
                default -> true;
            };
            if (!its || filter == null) return its;
            Spell spell = game.getStack().getSpell(event.getTargetId());
            return spell != null && filter.match(spell, game);
        }
    }

    // ---------------------------------------------------------------------------------------- THE TABLE

    /** A game without lobby, clock or dice. */
    static final class Table extends GameImpl {
        private final int seats;

        Table(int seats) {
            super(MultiplayerAttackOption.MULTIPLE, RangeOfInfluence.ALL, MulliganType.GAME_DEFAULT.getMulligan(0), 0, 20, 0);
            this.seats = seats;
        }

        private Table(Table other) {
            super(other);
            this.seats = other.seats;
        }

        @Override public MatchType getGameType() { return new Kind(seats); }
        @Override public int getNumPlayers() { return seats; }
        @Override public Table copy() { return new Table(this); }

        /** Whether the next state to be kept is that to which the engine would go back after an error: there is no going on after one. */
        private boolean forErrors;
        /** Whether the next state to be kept is that of before something which is not tried: if it is refused, the play ends. */
        boolean forGood;

        @Override
        public void playPriority(UUID activePlayerId, boolean resuming) {
            forErrors = true;
            super.playPriority(activePlayerId, resuming);
            forErrors = false;
        }

        @Override
        public int bookmarkState() {
            if (forGood) {
                forGood = false;
                return 0;
            }
            if (!forErrors) return super.bookmarkState();
            forErrors = false;
            return -1;
        }

        /** Without the hints for people at a screen. */
        @Override
        public void initGameDefaultHelperEmblems() {
            for (UUID player : getState().getPlayerList(getStartingPlayerId())) getState().addHelperEmblem(new RadiationEmblem(), player);
        }

        /** The engine would go on after an error, and end with a winner. */
        @Override
        public void fireErrorEvent(String message, Exception error) {
            throw failure(error);
        }
    }

    static final class Kind extends MatchType {
        Kind(int seats) {
            this.name = "conformance";
            this.minPlayers = seats;
            this.maxPlayers = seats;
            this.numTeams = 0;
            this.useAttackOption = false;
            this.useRange = false;
        }

        private Kind(Kind other) { super(other); }
        @Override public Kind copy() { return new Kind(this); }
    }

    /** A token of the setup: what is printed on it, and nothing else. */
    static final class PlainToken extends TokenImpl {
        PlainToken(Card card) {
            super(card.getName(), "");
            cardType.addAll(card.getCardType());
            subtype.addAll(card.getSubtype());
            supertype.addAll(card.getSuperType());
            color.setColor(card.getColor());
            power.setModifiedBaseValue(card.getPower().getValue());
            toughness.setModifiedBaseValue(card.getToughness().getValue());
            setStartingLoyalty(card.getStartingLoyalty());
            for (Ability ability : card.getAbilities()) if (!(ability instanceof SpellAbility)) addAbility(ability.copy());
        }

        private PlainToken(PlainToken other) { super(other); }
        @Override public PlainToken copy() { return new PlainToken(this); }
    }

    /** A scenario under way: the game, what the scenario calls its things, and how far the script is. */
    static final class Story {
        final JsonObject scenario;
        final Table game;
        final List<Seat> seats = new ArrayList<>();
        final Map<String, Seat> players = new LinkedHashMap<>();
        final Map<String, UUID> ids = new LinkedHashMap<>();
        final Map<UUID, String> names = new HashMap<>();
        final Map<String, Card> cards = new LinkedHashMap<>();
        final Names words = new Names();
        final Map<UUID, String> called = new HashMap<>();
        final Map<UUID, String> paid = new HashMap<>();
        final JsonObject looks = new JsonObject(), tried = new JsonObject(), ways = new JsonObject();
        final List<JsonObject> script;
        final List<Prepared> waiting = new ArrayList<>();
        Set<UUID> tokensBefore = new HashSet<>();
        /** For each token, the tokens that were there when a player first had priority with it: those of one resolution have the same. */
        private final Map<UUID, Integer> madeAfter = new HashMap<>();
        boolean begun;
        /** The next action of the script, and the one that is under way. */
        int at, doing;

        Story(JsonObject scenario) {
            this.scenario = scenario;
            this.script = list(scenario, "script");
            List<JsonObject> chairs = list(scenario, "players");
            this.game = new Table(chairs.size());
            GameOptions options = new GameOptions();
            options.testMode = true;
            options.skipInitShuffling = true;
            options.rollbackTurnsAllowed = false;
            game.setGameOptions(options);
            for (JsonObject chair : chairs) {
                if (!saysNothing(chair.get("team"))) throw unsupported("teams");
                Seat seat = new Seat(text(chair, "id"), this);
                seats.add(seat);
                players.put(seat.getName(), seat);
            }
            // The engine's circle of players turns the other way.
            for (Seat seat : backwards(seats)) game.addPlayer(seat, new Deck());
            for (JsonObject chair : chairs) players.get(text(chair, "id")).initLife(number(chair, "life", 20));
            create();
            JsonObject start = record(scenario, "start");
            UUID first = players.get(text(start, "turn")).getId();
            game.setStartingPlayerId(first);
            if (step() == null) throw new Not("no stop", "beginning in the step " + text(start, "step"));
            if (step() == PhaseStep.DRAW) filler(first);
            // Nothing happens before the story begins.
            for (PhaseStep before : List.of(PhaseStep.UPKEEP, PhaseStep.DRAW))
                if (step().ordinal() > before.ordinal()) game.getState().getTurnMods().add(new TurnMod(first).withSkipStep(before));
        }

        private PhaseStep step() {
            return STEPS.get(text(record(scenario, "start"), "step"));
        }

        /** A card to be drawn before the story begins. */
        private void filler(UUID owner) {
            Card card = Cards.named("Plains");
            game.loadCards(Set.of(card), owner);
            game.getPlayer(owner).getLibrary().putOnTop(card, game);
        }

        /** Every card of the scenario, in the order of `objects`; nothing is anywhere yet. */
        private void create() {
            Map<String, JsonObject> said = new HashMap<>();
            for (JsonObject card : list(scenario, "cards")) said.put(text(record(card, "definition"), "name"), card);
            for (JsonObject thing : list(scenario, "objects")) {
                JsonObject one = said.get(text(thing, "card"));
                if (one == null) throw unsupported("no card " + text(thing, "card"));
                Card card = Cards.made(one);
                ways.addProperty(card.getName(), flag(one, "real") ? "named" : "defined");
                words.learn(card, record(one, "definition"));
                cards.put(text(thing, "id"), card);
                if (flag(thing, "token")) continue;
                game.loadCards(Set.of(card), players.get(text(thing, "owner")).getId());
                called(text(thing, "id"), card.getId());
                if (card instanceof DoubleFacedCard faces) {
                    names.put(faces.getLeftHalfCard().getId(), text(thing, "id"));
                    names.put(faces.getRightHalfCard().getId(), text(thing, "id"));
                }
            }
        }

        private void called(String id, UUID uuid) {
            ids.put(id, uuid);
            names.put(uuid, id);
        }

        /** Put everything where it is when the story begins, in the order that the scenario says. */
        private void setUp() {
            for (Seat seat : seats)
                for (UUID id : List.copyOf(seat.getHand())) {
                    seat.getHand().remove(id);
                    game.getState().setZone(id, Zone.OUTSIDE);
                }
            Set<String> elsewhere = new HashSet<>();
            for (JsonObject chair : list(scenario, "players")) {
                Seat seat = players.get(text(chair, "id"));
                for (String id : backwards(texts(chair, "library"))) seat.getLibrary().putOnTop(card(id), game);
                for (String id : texts(chair, "hand")) {
                    card(id).setZone(Zone.HAND, game);
                    seat.getHand().add(card(id));
                }
                for (String id : backwards(texts(chair, "graveyard"))) {
                    card(id).setZone(Zone.GRAVEYARD, game);
                    seat.getGraveyard().add(card(id));
                }
                for (String zone : List.of("library", "hand", "graveyard")) elsewhere.addAll(texts(chair, zone));
                for (JsonObject pile : list(chair, "counters")) {
                    CounterType kind = CounterType.findByName(text(pile, "kind"));
                    if (kind == null) throw unsupported(text(pile, "kind") + " counters on a player");
                    seat.addCounters(kind.createInstance(number(pile, "n", 0)), seat.getId(), null, game);
                }
            }
            // What enters waits in exile.
            for (String id : ids.keySet())
                if (!elsewhere.contains(id)) {
                    card(id).setZone(Zone.EXILED, game);
                    game.getExile().add(card(id));
                }
            game.applyEffects();
            for (JsonObject arrival : list(scenario, "setup")) {
                List<JsonObject> entries = list(arrival, "entries");
                if (entries.size() != 1) throw unsupported("objects that enter together");
                enter(entries.get(0));
            }
            game.getState().resetWatchers();
            // The engine listed what can be attacked as the step began, before any of this was there.
            if (step() == PhaseStep.BEGIN_COMBAT) {
                game.getCombat().clear();
                game.getCombat().setAttacker(game.getActivePlayerId());
                game.getCombat().setDefenders(game);
            }
        }

        /** One object's entry onto the battlefield, by the engine's own move. */
        private void enter(JsonObject entry) {
            only(entry, "an entry", "id", "controller", "attached_to", "counters", "choices", "face_down", "tapped", "damage", "new");
            String id = text(entry, "id");
            Seat under = players.get(text(entry, "controller"));
            Ability source = new SimpleStaticAbility(Zone.OUTSIDE, new InfoEffect("setup"));
            source.setControllerId(under.getId());
            for (JsonObject choice : list(entry, "choices")) waiting.add(prepared(-1, choice));
            host = text(entry, "attached_to").isEmpty() ? null : resolved(text(entry, "attached_to"));
            boolean faceDown = flag(entry, "face_down");
            entersTapped = flag(entry, "tapped");
            if (!ids.containsKey(id)) {
                PlainToken token = new PlainToken(cards.get(id));
                token.putOntoBattlefield(1, game, source, under.getId(), flag(entry, "tapped"), false);
                if (token.getLastAddedTokenIds().size() != 1) throw unsupported("the engine does not put it onto the battlefield");
                called(id, token.getLastAddedTokenIds().get(0));
            } else {
                source.setSourceId(card(id).getId());
                under.moveCards(Set.of(card(id)), Zone.BATTLEFIELD, source, game, flag(entry, "tapped"), faceDown, false, null);
            }
            Permanent permanent = permanent(id);
            if (permanent == null) throw unsupported("the engine does not put it onto the battlefield");
            if (faceDown && card(id).getAbilities(game).stream().noneMatch(MorphAbility.class::isInstance))
                game.addEffect(new BecomesFaceDownCreatureEffect((Costs<Cost>) null, new MageObjectReference(permanent, game),
                    Duration.Custom, BecomesFaceDownCreatureEffect.FaceDownType.MANUAL), source);
            if (host != null && permanent.getAttachedTo() == null) {
                Permanent onto = game.getPermanent(host);
                if (onto == null || !onto.addAttachment(permanent.getId(), source, game)) throw unsupported("attached like this");
            }
            host = null;
            entersTapped = false;
            for (JsonObject pile : list(entry, "counters"))
                permanent.addCounters(counter(text(pile, "kind"), number(pile, "n", 0)), under.getId(), source, game);
            if (flag(entry, "tapped") && !permanent.isTapped()) permanent.setTapped(true);
            if (!flag(entry, "new")) ((PermanentImpl) permanent).removeSummoningSickness();
            int damage = number(entry, "damage", 0);
            if (damage > 0) permanent.damage(damage, source, game);
            game.getState().handleSimultaneousEvent(game);
            game.applyEffects();
            if (!flag(entry, "new")) withoutEcho(permanent);
            // Nothing triggers in a setup.
            for (Seat seat : seats) game.getState().getTriggered(seat.getId()).forEach(game.getState()::removeTriggeredAbility);
            for (String count : List.copyOf(game.getState().getValues("l").keySet())) if (count.startsWith("lastTurnTriggered")) game.getState().removeValue(count);
            if (!waiting.isEmpty()) throw unsupported("choices as it enters that the engine does not ask for");
        }

        /** What is not new was there as its controller's last upkeep began, so its echo has been asked for, of that player. */
        private void withoutEcho(Permanent permanent) {
            List<Ability> all = new ArrayList<>(permanent.getAbilities(game));
            for (TriggeredAbility one : game.getState().getTriggers().values()) if (permanent.getId().equals(one.getSourceId())) all.add(one);
            for (Ability one : all)
                if (one instanceof EchoAbility)
                    try {
                        java.lang.reflect.Field paid = EchoAbility.class.getDeclaredField("echoPaid");
                        paid.setAccessible(true);
                        paid.setBoolean(one, true);
                        java.lang.reflect.Field last = EchoAbility.class.getDeclaredField("lastController");
                        last.setAccessible(true);
                        last.set(one, permanent.getControllerId());
                    } catch (ReflectiveOperationException error) {
                        throw unsupported("an echo that was paid");
                    }
        }

        /** Where the Aura that enters goes. */
        UUID host;
        /** Whether what enters now is to be tapped. */
        private boolean entersTapped;

        // ------------------------------------------------------------------------ what things are called

        Card card(String id) {
            return game.getCard(ids.get(id));
        }

        /** The permanent of that name; a card with two faces is on the battlefield under another id. */
        Permanent permanent(String id) {
            UUID uuid = ids.get(id);
            if (uuid == null) return null;
            Permanent found = game.getPermanent(uuid);
            if (found == null && game.getCard(uuid) instanceof DoubleFacedCard faces) {
                found = game.getPermanent(faces.getLeftHalfCard().getId());
                if (found == null) found = game.getPermanent(faces.getRightHalfCard().getId());
            }
            return found;
        }

        String name(UUID id) {
            if (id == null) return null;
            Player player = game.getPlayer(id);
            if (player != null) return player.getName();
            if (names.containsKey(id)) return names.get(id);
            for (Map.Entry<StackObject, String> one : stack().entrySet()) if (one.getKey().getId().equals(id)) return one.getValue();
            MageObject object = game.getObject(id);
            return object == null ? "something" : "another " + object.getName();
        }

        /** What a target is to the engine: a player, an entry of the stack, or a thing. */
        UUID resolved(String name) {
            if (players.containsKey(name)) return players.get(name).getId();
            for (Map.Entry<StackObject, String> one : stack().entrySet()) if (one.getValue().equals(name)) return one.getKey().getId();
            Permanent permanent = permanent(name);
            if (permanent != null) return permanent.getId();
            if (!ids.containsKey(name)) throw unsupported(name + " is nothing here");
            return ids.get(name);
        }

        /** What is on the stack, bottom to top, and what it is called. */
        Map<StackObject, String> stack() {
            Map<StackObject, String> found = new LinkedHashMap<>();
            Map<String, Integer> met = new HashMap<>();
            List<StackObject> all = new ArrayList<>(game.getStack());
            for (StackObject object : backwards(all)) {
                String name = called.get(object.getId());
                if (name == null) name = base(object);
                int n = met.merge(name, 1, Integer::sum);
                found.put(object, n > 1 ? name + " (" + n + ")" : name);
            }
            return found;
        }

        private String base(StackObject object) {
            if (object instanceof Spell spell) {
                if (!spell.isCopy()) return names.getOrDefault(spell.getSourceId(), "another " + spell.getName());
                MageObject from = spell.getCopyFrom();
                while (from instanceof Spell other && other.isCopy() && other.getCopyFrom() != null) from = other.getCopyFrom();
                UUID of = from instanceof Spell other ? other.getSourceId() : from == null ? null : from.getId();
                return "copy of " + names.getOrDefault(of, spell.getName());
            }
            String of = names.getOrDefault(object.getSourceId(), "something");
            String word = words.of(object.getStackAbility());
            return (object.isCopy() ? "copy of " : "") + word + " of " + of;
        }
        // ----------------------------------------------------------------------------------------- THE STORY

        /** Play all of it. */
        void play() {
            game.start(seats.get(0).getId());
            if (!begun) throw unsupported("a game that does not reach the step where the script begins");
            // Whatever is left of the script meets a game that is over.
            while (at < script.size()) {
                doing = at;
                JsonObject action = script.get(at);
                switch (text(action, "do")) {
                    case "look" -> look(text(action, "name"), null, null);
                    case "try" -> tried.addProperty(text(action, "name"), "rejected");
                    case "choose", "assign", "pass", "settle", "resolve", "call" -> { }
                    case "advance" -> throw new Not("no stop", "the game is over");
                    default -> throw rejected("the game is over");
                }
                at++;
            }
            if (!looks.has("end")) look("end", null, null);
        }

        /** What the script waits for while everybody passes. */
        private BooleanSupplier goal;
        private String going = "";
        private int passes;

        /** Somebody has priority: go on with the script. True if they did something, false if they passed. */
        boolean priority(Seat seat) {
            if (!begun) {
                if (game.getTurnStepType() != step()) {
                    seat.pass(game);
                    return false;
                }
                begun = true;
                setUp();
                return true;
            }
            putBack();
            divisions.clear();
            blocksStand();
            int there = madeAfter.size();
            for (UUID one : tokens().keySet()) madeAfter.putIfAbsent(one, there);
            while (true) {
                if (goal != null) {
                    if (!goal.getAsBoolean()) {
                        if (++passes > 1000) throw new Not("loop", "a thousand passes");
                        seat.pass(game);
                        return false;
                    }
                    goal = null;
                }
                if (at >= script.size()) return end(seat, null);
                doing = at;
                Done done = perform(seat, script.get(at));
                at++;
                if (done == Done.ACTED) return true;
                if (done == Done.PASSED) return false;
            }
        }

        private boolean end(Seat holder, Seat deciding) {
            look("end", holder, deciding);
            game.pause();
            return false;
        }

        enum Done { NOTHING, ACTED, PASSED }

        /** One action of the script, for whoever has priority. */
        private Done perform(Seat seat, JsonObject action) {
            switch (text(action, "do")) {
                case "look" -> look(text(action, "name"), seat, null);
                case "try" -> {
                    trying = true;
                    try {
                        Done done = perform(seat, record(action, "action"));
                        tried.addProperty(text(action, "name"), "done");
                        return done;
                    } catch (Not not) {
                        if (!not.why.equals("rejected")) throw not;
                        tried.addProperty(text(action, "name"), "rejected");
                    } finally {
                        trying = false;
                    }
                }
                case "choose" -> waiting.add(prepared(at, action));
                case "assign" -> throw unsupported("a division of damage that the engine does not ask about");
                case "attack" -> {
                    if (!attacksUnasked(seat, action)) throw rejected("nobody declares that now");
                }
                case "block" -> {
                    // Where the engine finds no legal block, it does not ask, and nothing is what is declared.
                    boolean nothing = game.getTurnStepType() == PhaseStep.DECLARE_BLOCKERS && list(action, "blockers").isEmpty() && !trying;
                    if (!nothing || game.getCombat().getGroups().stream().anyMatch(group -> !group.getBlockers().isEmpty())) throw rejected("nobody declares that now");
                }
                case "call" -> call(action);
                case "pass" -> {
                    String who = text(action, "who");
                    if (!who.equals("everyone")) {
                        if (!who.equals(seat.getName())) throw rejected(seat.getName() + " has priority");
                        tokensBefore = tokens().keySet();
                        seat.pass(game);
                        return Done.PASSED;
                    }
                    StackObject top = game.getStack().isEmpty() ? null : game.getStack().getFirst();
                    int now = moment();
                    pass("everyone", () -> moment() != now || top != null && game.getStack().stream().noneMatch(one -> one.getId().equals(top.getId())));
                }
                case "settle" -> {
                    if (!game.getStack().isEmpty()) pass("settle", () -> game.getStack().isEmpty());
                }
                case "resolve" -> {
                    String what = text(action, "what");
                    StackObject one = stack().entrySet().stream().filter(e -> e.getValue().equals(what)).map(Map.Entry::getKey).findFirst().orElse(null);
                    if (one == null) throw rejected(what + " is not on the stack");
                    UUID id = one.getId();
                    pass("resolve", () -> game.getStack().stream().noneMatch(other -> other.getId().equals(id)));
                }
                case "advance" -> advance(action);
                case "cast", "activate", "play", "turn_up", "special" -> {
                    if (!text(action, "by").equals(seat.getName())) {
                        if (!players.containsKey(text(action, "by"))) throw unsupported(text(action, "by") + " is no player");
                        throw rejected(seat.getName() + " has priority");
                    }
                    tokensBefore = tokens().keySet();
                    announce(seat, action);
                    return Done.ACTED;
                }
                default -> throw unsupported("the action " + text(action, "do"));
            }
            return Done.NOTHING;
        }

        /** A number for each step that begins. */
        private int moment() {
            return game.getState().getTurnNum() * 10000 + game.getState().getStepNum();
        }

        private int moment(Seat seat) {
            return moment() * 10 + seats.indexOf(seat);
        }

        /** Everyone passes, at least once, until something is so. */
        private void pass(String how, BooleanSupplier until) {
            boolean[] first = {true};
            passes = 0;
            going = how;
            tokensBefore = tokens().keySet();
            goal = () -> {
                if (first[0]) {
                    first[0] = false;
                    return false;
                }
                return until.getAsBoolean();
            };
        }

        /** To the next first priority in a step, strictly after now. */
        private void advance(JsonObject action) {
            PhaseStep wanted = STEPS.get(text(action, "to"));
            if (wanted == null) throw new Not("no stop", "nobody gets priority in " + text(action, "to"));
            Seat turn = text(action, "turn").isEmpty() ? null : players.get(text(action, "turn"));
            if (turn == null && !text(action, "turn").isEmpty()) throw unsupported(text(action, "turn") + " is no player");
            int now = moment(), began = game.getTurnNum();
            PhaseStep from = game.getTurnStepType();
            pass("advance", () -> {
                PhaseStep step = game.getTurnStepType();
                boolean meant = turn == null || turn.getId().equals(game.getActivePlayerId());
                boolean later = game.getTurnNum() > began;
                if (meant && moment() != now && step == wanted) return true;
                boolean ahead = later || wanted.ordinal() > from.ordinal();
                if (meant && ahead && step.ordinal() > wanted.ordinal()) throw new Not("no stop", "nobody gets priority in " + text(action, "to"));
                return false;
            });
        }

        /** The script at a moment when a player has to declare something. The declaration, or nothing. */
        private JsonObject declaration(Seat seat, String kind) {
            if (going.equals("everyone")) goal = null;
            while (goal == null) {
                if (at >= script.size()) {
                    end(null, seat);
                    return null;
                }
                doing = at;
                JsonObject action = script.get(at);
                JsonObject tried = text(action, "do").equals("try") ? record(action, "action") : null;
                switch (text(action, "do")) {
                    case "look" -> look(text(action, "name"), null, seat);
                    case "choose" -> waiting.add(prepared(at, action));
                    case "call" -> call(action);
                    case "try" -> {
                        if (text(tried, "do").equals(kind) && text(tried, "by").equals(seat.getName())) return action;
                        this.tried.addProperty(text(action, "name"), "rejected");
                    }
                    default -> {
                        if (!text(action, "do").equals(kind)) return null;
                        if (!text(action, "by").equals(seat.getName())) throw rejected(seat.getName() + " declares now");
                        return action;
                    }
                }
                at++;
            }
            return null;
        }

        /** Whether the declaration that was made last has been asked for again: then it was not legal. */
        private int declared = -1;
        private String tryDeclared;

        /** Whether the engine has declared just these attackers by itself, because all that can attack have to. */
        private boolean attacksUnasked(Seat seat, JsonObject action) {
            boolean now = game.getTurnStepType() == PhaseStep.DECLARE_ATTACKERS && game.isActivePlayer(seat.getId()) && attackersAsked != moment() && game.getStack().isEmpty();
            List<JsonObject> named = list(action, "attackers");
            boolean same = now && named.size() == game.getCombat().getAttackers().size() && named.stream().allMatch(one -> {
                CombatGroup group = game.getCombat().findGroup(resolved(text(one, "attacker")));
                return group != null && group.getDefenderId().equals(resolved(text(one, "attacks")));
            });
            if (same) attackersAsked = moment();
            return same;
        }

        /** When the engine asked for attackers last. */
        private int attackersAsked = -1;

        /** Attackers are declared: those of the script, or none. */
        void attackers(Seat seat) {
            attackersAsked = moment();
            declare(seat, "attack", one -> {
                Set<UUID> meant = new LinkedHashSet<>();
                for (JsonObject each : list(one, "attackers")) {
                    UUID attacker = resolved(text(each, "attacker")), whom = resolved(text(each, "attacks"));
                    Permanent permanent = game.getPermanent(attacker);
                    CombatGroup already = game.getCombat().findGroup(attacker);
                    boolean there = already != null && already.getDefenderId().equals(whom);
                    if (permanent == null || !permanent.isControlledBy(seat.getId()) || !there && !seat.getAvailableAttackers(whom, game).contains(permanent)) throw rejected(text(each, "attacker") + " cannot attack " + text(each, "attacks"));
                    meant.add(attacker);
                }
                for (UUID already : game.getCombat().getAttackers()) if (!meant.contains(already)) throw rejected(name(already) + " has to attack");
                for (JsonObject each : list(one, "attackers")) {
                    UUID attacker = resolved(text(each, "attacker"));
                    if (!game.getCombat().getAttackers().contains(attacker)) seat.declareAttacker(attacker, resolved(text(each, "attacks")), game, false);
                    if (!game.getCombat().getAttackers().contains(attacker)) throw rejected(text(each, "attacker") + " cannot attack");
                }
            });
        }

        /** Blockers are declared: those of the script, or none. */
        void blockers(Seat seat, UUID defender) {
            // Where nothing can block anything there is nothing to declare.
            boolean any = seat.getAvailableBlockers(game).stream().anyMatch(one -> game.getCombat().getGroups().stream().anyMatch(group -> group.canBlock(one, game)));
            if (!any && declared != moment(seat)) return;
            if (game.getCombat().getPlayerDefenders(game).size() > 1) throw unsupported("blocking by several players: the engine asks them in whatever order");
            declare(seat, "block", one -> {
                blocked = one;
                for (JsonObject each : list(one, "blockers")) {
                    // The engine is told of each pair.
                    if (texts(each, "blocks").isEmpty()) throw unsupported("a blocker that blocks nothing");
                    for (String attacker : texts(each, "blocks")) {
                        UUID blocker = resolved(text(each, "blocker")), blocked = resolved(attacker);
                        Permanent permanent = game.getPermanent(blocker);
                        CombatGroup group = game.getCombat().findGroup(blocked);
                        // What has to block is there already.
                        if (group != null && group.getBlockers().contains(blocker)) continue;
                        // Its players choose among what this filter finds; the number of blocks is in it alone.
                        boolean offered = permanent != null && new FilterCreatureForCombatBlock().match(permanent, game);
                        if (!offered || group == null || !permanent.isControlledBy(seat.getId()) || !group.canBlock(permanent, game)) throw rejected(text(each, "blocker") + " cannot block " + attacker);
                        seat.declareBlocker(defender, blocker, blocked, game, false);
                        if (!group.getBlockers().contains(blocker)) throw rejected(text(each, "blocker") + " cannot block " + attacker);
                    }
                }
            });
        }

        /** The engine takes illegal blocks off by itself where no others are possible. */
        private void blocksStand() {
            JsonObject last = blocked;
            blocked = null;
            if (last == null) return;
            for (JsonObject each : list(last, "blockers"))
                for (String attacker : texts(each, "blocks")) {
                    CombatGroup group = game.getCombat().findGroup(resolved(attacker));
                    if (group == null || group.getBlockers().contains(resolved(text(each, "blocker")))) continue;
                    if (tryDeclared == null) throw rejected(text(each, "blocker") + " cannot block " + attacker);
                    tried.addProperty(tryDeclared, "rejected");
                }
        }

        private JsonObject blocked;

        /** The moment at which the engine asked for a declaration and the script had none: if it asks again, none is not legal. */
        private int unsaid = -1;

        private void declare(Seat seat, String kind, Consumer<JsonObject> deed) {
            int now = moment(seat);
            if (declared == now) {
                declared = -1;
                if (tryDeclared == null) throw rejected("the engine asks for another declaration");
                tried.addProperty(tryDeclared, "rejected");
            }
            JsonObject action = declaration(seat, kind);
            if (action == null) {
                if (unsaid == now) throw unsupported("a declaration that has to be made and that the script leaves to the engine");
                unsaid = now;
                return;
            }
            boolean trying = text(action, "do").equals("try");
            tryDeclared = trying ? text(action, "name") : null;
            game.forGood = !trying;
            int bookmark = game.bookmarkState();
            try {
                deed.accept(trying ? record(action, "action") : action);
                declared = now;
                if (trying) tried.addProperty(text(action, "name"), "done");
                at++;
            } catch (Not not) {
                if (!trying || !not.why.equals("rejected")) throw not;
                game.restoreState(bookmark, "a declaration that is not legal");
                tried.addProperty(text(action, "name"), "rejected");
                at++;
                declare(seat, kind, deed);
            }
        }

        /** Ids for the tokens that the last action made. */
        private void call(JsonObject action) {
            Map<UUID, Permanent> now = tokens();
            now.keySet().removeAll(tokensBefore);
            // Where each player creates one, the active player does so first (CR 101.4); the engine begins with the player of the effect.
            List<UUID> order = new ArrayList<>(game.getState().getPlayerList(game.getActivePlayerId()));
            Comparator<Permanent> first = Comparator.comparing(each -> madeAfter.getOrDefault(each.getId(), madeAfter.size()));
            List<Permanent> fresh = now.values().stream().sorted(first.thenComparing(each -> order.indexOf(each.getControllerId()))).toList();
            for (JsonObject one : list(action, "tokens")) {
                List<UUID> made = fresh.stream().filter(each -> tokenName(each).equals(text(one, "name"))).map(MageItem::getId).toList();
                if (made.size() != texts(one, "ids").size()) throw rejected("there are " + made.size() + " new tokens of the name " + text(one, "name"));
                for (int n = 0; n < made.size(); n++) called(texts(one, "ids").get(n), made.get(n));
            }
        }

        /** Scenarios call a token as cards did before the rules put the word "Token" behind its name (CR 111.4). */
        private static String tokenName(Card token) {
            return token.getName().replaceAll(" Token$", "");
        }

        Map<UUID, Permanent> tokens() {
            Map<UUID, Permanent> found = new LinkedHashMap<>();
            for (Permanent one : game.getBattlefield().getAllPermanents()) if (one instanceof PermanentToken) found.put(one.getId(), one);
            return found;
        }

        // ------------------------------------------------------------------------------- announcing something

        /** What is announced now, and what of it was used. */
        private final class Announced {
            final JsonObject action;
            final Seat seat;
            final List<List<String>> targets = new ArrayList<>();
            final Set<Target> asked = Collections.newSetFromMap(new IdentityHashMap<>());
            final List<String> objects = new ArrayList<>();
            final List<String> method = new ArrayList<>(), additional = new ArrayList<>();
            final List<Integer> modes = new ArrayList<>();
            int kicks, life, steps;
            boolean lifeAsked, xAsked;
            String wrong;
            Ability ability;

            Announced(Seat seat, JsonObject action) {
                this.seat = seat;
                this.action = action;
                if (action.get("targets") instanceof JsonArray all) for (JsonElement one : all) targets.add(texts(one));
                if (action.get("modes") instanceof JsonArray all) for (JsonElement one : all) modes.add(one.getAsInt());
                for (JsonObject cost : list(action, "costs"))
                    switch (text(cost, "kind")) {
                        case "sacrifice", "discard", "exile", "return", "tap" -> objects.addAll(texts(cost, "ids"));
                        case "method" -> method.addAll(texts(cost, "ids"));
                        case "additional" -> additional.addAll(texts(cost, "ids"));
                        case "kicked" -> kicks = number(cost, "n", 1);
                        case "life" -> life = number(cost, "n", 99);
                        default -> throw unsupported("saying how to pay: " + text(cost, "kind"));
                    }
            }

            boolean is(Ability source) {
                return source != null && ability != null && (source.getId().equals(ability.getId()) || source.getSourceId() != null && source.getSourceId().equals(ability.getSourceId()));
            }

            boolean not(String why) {
                if (wrong == null) wrong = why;
                return false;
            }
        }

        private Announced announced;
        /** Whether the action under way is only tried, so that the play goes on if it is refused. */
        private boolean trying;

        /** Cast, activate, play or turn up: what the engine lists as playable, and then does. */
        private void announce(Seat seat, JsonObject action) {
            only(action, text(action, "do"), "do", "what", "ability", "by", "targets", "modes", "x", "divide", "costs", "pay", "as", "produces", "face_down", "source");
            game.forGood = !trying;
            int bookmark = game.bookmarkState();
            List<Prepared> before = new ArrayList<>(waiting);
            JsonObject pay = record(action, "pay");
            List<ManaPoolItem> pool = List.of();
            try {
                announced = new Announced(seat, action);
                pool = setAside(seat, pay);
                ActivatedAbility ability = chosen(seat, action);
                UUID source = ability.getSourceId();
                boolean mana = ability.isManaActivatedAbility();
                Set<UUID> stacked = game.getStack().stream().map(MageItem::getId).collect(Collectors.toSet());
                if (!mana && pay == null) {
                    plenty(seat, ability);
                    rich = seat.getId();
                }
                if (!mana) ability = playable(seat, ability, action);
                else if (!usable(ability)) throw rejected("an effect says that it cannot be activated");
                rich = null;
                if (mana && pay == null && !ability.getManaCosts().isEmpty()) throw unsupported("mana abilities that cost mana, where mana is free");
                announced.ability = ability;
                game.forGood = !trying;
                boolean done = seat.activateAbility(ability, game);
                game.forGood = false;
                if (!done) throw rejected(announced.wrong == null ? "the engine does not do it" : announced.wrong);
                StackObject entry = game.getStack().stream().filter(one -> !stacked.contains(one.getId()) && one.getSourceId().equals(source)).findFirst().orElse(null);
                if (entry != null) {
                    Modes modes = entry.getStackAbility().getModes();
                    List<UUID> printed = new ArrayList<>(modes.keySet());
                    // What is not modal has one mode here, too.
                    if (printed.size() > 1) announced.modes.removeIf(n -> n <= printed.size() && modes.getSelectedModes().contains(printed.get(n - 1)));
                }
                checkAnnounced();
                if (entry != null) {
                    if (ability instanceof SpellAbility) paid.put(entry.getSourceId(), price(entry.getStackAbility()));
                    String as = text(action, "as");
                    if (!as.isEmpty()) called.put(entry.getId(), as);
                    else if (text(action, "do").equals("activate")) called.put(entry.getId(), text(action, "ability") + " of " + names.get(entry.getSourceId()));
                }
                giveBack((Seat) game.getPlayer(seat.getId()), pool, pay == null && !mana);
                // Mana that is named and was not needed is made all the same.
                if (pay != null)
                    for (JsonObject step : list(pay, "steps").subList(Math.min(announced.steps, list(pay, "steps").size()), list(pay, "steps").size()))
                        if (mana && announced.steps == 0 && !text(step, "activate").isEmpty()) throw unsupported("a mana ability that is paid for otherwise than from the pool");
                        else if (!text(step, "activate").isEmpty() && (announced.steps == 0 || !makeMana(seat, step))) throw rejected(text(step, "activate") + " makes no such mana");
            } catch (Not not) {
                if (!not.why.equals("rejected")) throw not;
                waiting.clear();
                waiting.addAll(before);
                if (!trying) throw not;
                game.restoreState(bookmark, "what is not legal");
                announced = null;
                // What would have come after an illegal step was never done.
                if (pay != null && pay.has("undo_mana") && !flag(pay, "undo_mana") && legalForFree(seat, action))
                    for (JsonObject step : list(pay, "steps")) if (!text(step, "activate").isEmpty() && !makeMana(seat, step)) break;
                throw not;
            } finally {
                announced = null;
                rich = null;
            }
        }

        /** Whether a rejected action is legal with free mana; one that is not never came to the payment. */
        private boolean legalForFree(Seat seat, JsonObject action) {
            JsonObject free = action.deepCopy();
            free.remove("pay");
            int bookmark = game.bookmarkState();
            List<Prepared> before = new ArrayList<>(waiting);
            try {
                announce(seat, free);
            } catch (Not not) {
                if (!not.why.equals("rejected")) throw not;
                return false;
            }
            waiting.clear();
            waiting.addAll(before);
            game.restoreState(bookmark, "only to ask");
            return true;
        }

        /** Everything that was announced has to have been asked for. */
        private void checkAnnounced() {
            if (announced.wrong != null) throw rejected(announced.wrong);
            if (announced.targets.stream().skip(announced.asked.size()).anyMatch(one -> !one.isEmpty())) throw rejected("it has fewer targets");
            if (number(announced.action, "x", 0) > 0 && !announced.xAsked) throw rejected("there is no X to be chosen");
            if (announced.life > 0 && !announced.lifeAsked) throw rejected("that much life cannot be paid");
            if (announced.kicks > 0) throw rejected("it cannot be kicked as often");
            if (!announced.modes.isEmpty()) throw rejected("it has fewer modes");
            if (!announced.objects.isEmpty()) throw unsupported("paying with " + String.join(", ", announced.objects));
            if (!announced.method.isEmpty()) throw rejected("it cannot be cast like this: " + announced.method);
            // The engine does not ask which of two costs is paid if only one can be.
            if (!announced.additional.isEmpty() && announced.ability != null && announced.ability.getCosts().stream().anyMatch(OrCost.class::isInstance))
                throw unsupported("one of two costs, of which only one can be paid");
            if (!announced.additional.isEmpty()) throw rejected("it has no such additional cost: " + announced.additional);
        }

        /** The engine's ability that an action means: one of the object's own, or one that the engine lists for it. */
        private ActivatedAbility chosen(Seat seat, JsonObject action) {
            String what = text(action, text(action, "do").equals("special") ? "source" : "what");
            if (!ids.containsKey(what)) throw unsupported(what + " is nothing here");
            ActivatedAbility found = found(action, abilitiesOf(what));
            if (found == null) found = found(action, listedFor(seat, what));
            if (found == null && text(action, "do").equals("activate") && words.untold(text(action, "ability"), facesOf(what)))
                throw unsupported("which ability of " + what + " is called " + text(action, "ability"));
            if (found == null) throw rejected(what + " has nothing like that");
            if (text(action, "do").equals("cast")) announced.method.remove(keyword(found));
            if (found instanceof PayMoreToCastAsThoughtItHadFlashAbility) announced.additional.remove("flash");
            return found;
        }

        private ActivatedAbility found(JsonObject action, List<ActivatedAbility> all) {
            String makes = text(action, "produces");
            String method = announced.method.isEmpty() ? null : announced.method.get(0);
            Predicate<ActivatedAbility> fits = switch (text(action, "do")) {
                case "cast" -> one -> one instanceof SpellAbility spell
                    && List.of(SpellAbilityCastMode.MORPH, SpellAbilityCastMode.DISGUISE).contains(spell.getSpellAbilityCastMode()) == flag(action, "face_down")
                    && (flag(action, "face_down") || Objects.equals(method, keyword(one)))
                    && one instanceof PayMoreToCastAsThoughtItHadFlashAbility == announced.additional.contains("flash");
                case "activate" -> one -> !(one instanceof SpellAbility) && !(one instanceof PlayLandAbility) && !(one instanceof SpecialAction)
                    && words.is(one, text(action, "ability"))
                    && (makes.isEmpty() || one instanceof ActivatedManaAbilityImpl mana && makes(mana, makes));
                case "play" -> one -> one instanceof PlayLandAbility;
                case "turn_up" -> one -> one instanceof TurnFaceUpAbility;
                default -> one -> one instanceof SpecialAction && text(action, "what").equals(keyword(one));
            };
            List<ActivatedAbility> fit = all.stream().filter(fits).toList();
            if (fit.size() > 1 && text(action, "do").equals("activate")) anySource(text(action, "by"));
            Set<String> cards = facesOf(text(action, "what")).stream().map(MageObject::getName).collect(Collectors.toSet());
            List<ActivatedAbility> printed = fit.stream().filter(one -> cards.stream().anyMatch(card -> words.isOf(card, one, text(action, "ability")))).toList();
            if (fit.size() > 1 && printed.size() == 1) return printed.get(0);
            // Of two abilities in the same words the later one is the one that was gained.
            boolean own = fit.size() < 2 || words.of(fit.get(0)).equals(text(action, "ability"));
            ActivatedAbility found = fit.isEmpty() ? null : fit.get(own ? 0 : fit.size() - 1);
            // Another cost in place of the mana cost is asked about while the card is cast in the ordinary way.
            if (found == null && method != null)
                found = all.stream().filter(one -> one instanceof SpellAbility && keyword(one) == null).findFirst().orElse(null);
            return found;
        }

        /** What there is to be activated, cast or played of an object itself. */
        private List<ActivatedAbility> abilitiesOf(String what) {
            List<ActivatedAbility> found = new ArrayList<>();
            for (Card object : facesOf(what)) for (Ability ability : object.getAbilities(game)) if (ability instanceof ActivatedAbility one) found.add(one);
            return found;
        }

        /** What effects allow besides, as the engine lists it. */
        private List<ActivatedAbility> listedFor(Seat seat, String what) {
            Set<UUID> faces = facesOf(what).stream().map(MageItem::getId).collect(Collectors.toSet());
            return seat.getPlayable(game, true).stream().filter(one -> faces.contains(one.getSourceId())).toList();
        }

        private List<Card> facesOf(String what) {
            Permanent permanent = permanent(what);
            if (permanent != null) return List.of(permanent);
            Card card = card(what);
            if (card == null) return List.of();
            if (card instanceof DoubleFacedCard faces) return List.of(card, faces.getLeftHalfCard(), faces.getRightHalfCard());
            if (card instanceof SplitCard halves) return List.of(card, halves.getLeftHalfCard(), halves.getRightHalfCard());
            return List.of(card);
        }

        /** Fail if the script says whose of several abilities it means. */
        private void anySource(String by) {
            if (waiting.stream().anyMatch(one -> text(one.choice, "kind").equals("object") && text(one.choice, "by").equals(by)))
                throw unsupported("which source granted the ability: the engine does not keep it");
        }

        /** The ability, or another of its object in the same words: each has restrictions of its own. */
        private ActivatedAbility playable(Seat seat, ActivatedAbility meant, JsonObject action) {
            List<ActivatedAbility> named = new ArrayList<>(List.of(meant));
            if (text(action, "do").equals("activate"))
                for (ActivatedAbility one : abilitiesOf(text(action, "what")))
                    if (one != meant && words.is(one, text(action, "ability"))) named.add(one);
            if (named.size() > 1) anySource(seat.getName());
            return named.stream().filter(one -> one.getRule().equals(meant.getRule()) && playable(seat, one)).findFirst()
                .orElseThrow(() -> rejected("it is not among what can be played"));
        }

        /** Whether the engine lists an ability among what a player could play now. */
        private boolean playable(Seat seat, ActivatedAbility ability) {
            Zone zone = game.getState().getZone(ability.getSourceId());
            return zone != null && seat.getPlayable(game, true, zone, false).stream().anyMatch(one -> one.getId().equals(ability.getId()));
        }

        /** Whether no effect stops an object's abilities from being activated, as the engine's own players ask before they make mana. */
        private boolean usable(ActivatedAbility ability) {
            Permanent permanent = game.getPermanent(ability.getSourceId());
            return permanent == null || permanent.canUseActivatedAbilities(game);
        }

        private boolean makes(ActivatedManaAbilityImpl ability, String color) {
            ManaType type = mana(color);
            List<Mana> all = ability.getNetMana(game);
            // What would add no mana just now can be activated nevertheless, and its colour does not matter.
            if (all.stream().allMatch(one -> one.count() == 0)) return true;
            return all.stream().anyMatch(one -> one.get(type) > 0 || one.getAny() > 0);
        }

        // ------------------------------------------------------------------------------------------- mana

        static final int PLENTY = 40;
        /** Who has that much just now, while the engine is asked what they can play. */
        UUID rich;

        /** More mana than anything costs. */
        private void plenty(Seat seat, Ability source) {
            seat.getManaPool().addMana(new Mana(PLENTY, PLENTY, PLENTY, PLENTY, PLENTY, 0, 0, PLENTY), game, source);
        }

        /** Activate a mana ability that the script names for a payment. */
        private boolean makeMana(Seat seat, JsonObject step) {
            String source = text(step, "activate"), color = text(step, "choose");
            for (ActivatedAbility one : abilitiesOf(source)) {
                if (!(one instanceof ActivatedManaAbilityImpl mana) || !words.is(one, text(step, "ability")) || !color.isEmpty() && !makes(mana, color)) continue;
                String before = produced;
                produced = color.isEmpty() ? null : color;
                boolean done = usable(one) && seat.activateAbility(one, game);
                produced = before;
                return done;
            }
            return false;
        }

        /** The engine asks for more mana: the next mana ability that the script names, or a creature that helps (convoke). */
        boolean moreMana(Seat seat, Ability ability) {
            if (announced == null) return lend(seat, ability);
            JsonObject pay = record(announced.action, "pay");
            if (pay == null || !announced.seat.getName().equals(seat.getName())) return false;
            List<JsonObject> steps = list(pay, "steps");
            while (announced.steps < steps.size()) {
                JsonObject step = steps.get(announced.steps++);
                if (!text(step, "activate").isEmpty()) return makeMana(seat, step) || announced.not(text(step, "activate") + " makes no such mana");
            }
            if (!announced.objects.isEmpty())
                for (SpecialAction helps : game.getState().getSpecialActions().getControlledBy(seat.getId(), true).values()) return seat.activateAbility(helps, game);
            return false;
        }

        /** The colour that is chosen while a mana ability resolves. */
        private String produced;

        /** Of the mana in the pool what is not named for paying is kept out of reach; where mana is free, all of it. */
        private List<ManaPoolItem> setAside(Seat seat, JsonObject pay) {
            List<ManaPoolItem> items = new ArrayList<>();
            for (ManaPoolItem item : seat.getManaPool().getManaItems()) items.add(item.copy());
            if (items.isEmpty()) return List.of();
            if (pay == null) {
                seat.getManaPool().restoreMana(new ArrayList<>());
                return items;
            }
            Map<ManaType, Integer> wanted = new EnumMap<>(ManaType.class);
            for (JsonObject step : list(pay, "steps"))
                for (String symbol : symbols(text(step, "pool"))) wanted.merge(mana(symbol), 1, Integer::sum);
            List<ManaPoolItem> kept = new ArrayList<>(), free = new ArrayList<>();
            for (ManaPoolItem item : items) {
                // Restricted mana is not counted by its types.
                if (item.isConditional()) {
                    ManaType named = null;
                    for (ManaType type : ManaType.values()) if (item.getConditionalMana().get(type) > 0 && wanted.getOrDefault(type, 0) > 0) named = type;
                    if (named != null) wanted.merge(named, -1, Integer::sum);
                    (named != null ? free : kept).add(item);
                    continue;
                }
                for (ManaType type : ManaType.values())
                    while (item.get(type) > 0) {
                        ManaPoolItem one = item.copy();
                        for (ManaType other : ManaType.values()) while (one.get(other) > (other == type ? 1 : 0)) one.remove(other);
                        boolean use = wanted.getOrDefault(type, 0) > 0;
                        if (use) wanted.merge(type, -1, Integer::sum);
                        (use ? free : kept).add(one);
                        item.remove(type);
                    }
            }
            seat.getManaPool().restoreMana(free);
            return kept;
        }

        /** What was set aside comes back; what was put there to pay with goes. */
        private void giveBack(Seat seat, List<ManaPoolItem> kept, boolean emptyFirst) {
            List<ManaPoolItem> all = new ArrayList<>(kept);
            if (!emptyFirst) for (ManaPoolItem item : seat.getManaPool().getManaItems()) all.add(item.copy());
            seat.getManaPool().restoreMana(all);
        }

        /** The pools as they were before somebody paid something while an ability resolved. */
        private final Map<Seat, List<ManaPoolItem>> lent = new LinkedHashMap<>();

        private boolean lend(Seat seat, Ability ability) {
            if (lent.containsKey(seat)) return false;
            List<ManaPoolItem> items = new ArrayList<>();
            for (ManaPoolItem item : seat.getManaPool().getManaItems()) items.add(item.copy());
            lent.put(seat, items);
            plenty(seat, ability);
            return true;
        }

        private void putBack() {
            lent.forEach((seat, items) -> seat.getManaPool().restoreMana(items));
            lent.clear();
        }

        /** The total cost of what was announced, as far as it is mana. */
        private static String price(Ability ability) {
            int generic = 0;
            StringBuilder colored = new StringBuilder();
            for (ManaCost cost : ability.getManaCostsToPay()) {
                if (cost instanceof GenericManaCost) generic += cost.manaValue();
                // What X came to has become generic by now.
                else if (cost instanceof VariableManaCost) continue;
                else if (!cost.isPhyrexian() && (cost instanceof ColoredManaCost || cost instanceof ColorlessManaCost)) colored.append(cost.getText());
                // What is paid with life is no mana cost any more: a Phyrexian symbol that is left here was paid with mana.
                else {
                    Mana used = cost.getUsedManaToPay();
                    for (ManaType type : PAID) colored.append(("{" + letter(type) + "}").repeat(used.get(type)));
                }
            }
            List<String> symbols = symbols(colored.toString());
            symbols.sort(Comparator.comparingInt(symbol -> "WUBRGC".indexOf(symbol)));
            String letters = symbols.stream().map(symbol -> "{" + symbol + "}").collect(Collectors.joining());
            return generic > 0 || letters.isEmpty() ? "{" + generic + "}" + letters : letters;
        }

        // -------------------------------------------------------------------------------------- THE QUESTIONS

        /** An answer that waits for its question. The engine rolls its own dice. */
        private static Prepared prepared(int at, JsonObject choice) {
            if (text(choice, "kind").equals("random")) throw unsupported("what is chosen at random");
            return new Prepared(at, choice);
        }

        /** The first answer prepared for such a question, if it fits; used up. */
        private JsonArray prepared(Seat seat, Ability source, Collection<String> kinds, Predicate<JsonArray> fits) {
            for (Prepared one : waiting) {
                JsonObject choice = one.choice;
                if (!kinds.contains(text(choice, "kind")) || !text(choice, "by").equals(seat.getName())) continue;
                String meant = text(choice, "for");
                if (!meant.isEmpty() && source != null && source.getSourceId() != null && !isFor(meant, source)) continue;
                JsonArray answer = choice.getAsJsonArray("answer");
                if (!fits.test(answer)) continue;
                waiting.remove(one);
                return answer;
            }
            return null;
        }

        /** A "yes" that waits at the head of the answers for this is used up. */
        private void saidYes(Seat seat, Ability source) {
            for (Prepared one : waiting) {
                if (!text(one.choice, "by").equals(seat.getName()) || source == null || text(one.choice, "for").isEmpty() || !isFor(text(one.choice, "for"), source)) continue;
                if (text(one.choice, "kind").equals("may") && one.choice.getAsJsonArray("answer").get(0).getAsBoolean()) waiting.remove(one);
                return;
            }
        }

        private boolean isFor(String meant, Ability source) {
            String of = names.get(source.getSourceId());
            if (of == null || meant.startsWith("copy of ") || meant.equals(of) || meant.contains(" of " + of)) return true;
            return !ids.containsKey(meant) && !meant.contains(" of ") && !called.containsValue(meant);
        }

        /** The next of several cards that go on top or to the bottom one after the other; a script names the one that ends on top first. */
        private boolean nextInOrder(Seat seat, Target target, Ability source, Set<UUID> possible, boolean top) {
            for (Prepared one : waiting) {
                String meant = text(one.choice, "for");
                if (!text(one.choice, "kind").equals("order") || !text(one.choice, "by").equals(seat.getName())) continue;
                if (!meant.isEmpty() && source != null && source.getSourceId() != null && !isFor(meant, source)) continue;
                List<UUID> left = texts(one.choice.getAsJsonArray("answer")).stream().map(this::resolved).filter(possible::contains).toList();
                if (left.size() != possible.size()) continue;
                if (left.size() <= 2) waiting.remove(one);
                target.add(left.get(top ? left.size() - 1 : 0), game);
                return true;
            }
            return false;
        }

        /** Some of the things that the engine offers: announced targets, what pays a cost, or an answer of the script. */
        boolean pick(Seat seat, Target target, Ability source, mage.cards.Cards among, boolean asTarget) {
            UUID by = target.getAffectedAbilityControllerId(seat.getId());
            Set<UUID> possible = among == null ? target.possibleTargets(by, source, game) : target.possibleTargets(by, source, game, among);
            if (host != null && possible.contains(host)) {
                target.add(host, game);
                return true;
            }
            String asked = target.getFilter() == null ? "" : String.valueOf(target.getFilter().getMessage());
            if (asked.contains("last one chosen will be") && nextInOrder(seat, target, source, possible, asked.contains("topmost"))) return true;
            if (announced != null && announced.is(source)) {
                if (asTarget && !target.isNotTarget()) return announcedTargets(target, source, by);
                if (!announced.objects.isEmpty()) {
                    List<String> use = announced.objects.stream().filter(id -> possible.contains(resolved(id))).limit(Math.max(1, target.getMaxNumberOfTargets())).toList();
                    if (use.isEmpty()) return announced.not("this does not pay: " + announced.objects);
                    for (String id : use) target.addTarget(resolved(id), source, game, true);
                    announced.objects.removeAll(use);
                    return true;
                }
            }
            int least = target.getMinNumberOfTargets(), most = target.getMaxNumberOfTargets();
            if (changing && changesTo != null) {
                changing = false;
                if (!possible.contains(changesTo)) return false;
                target.addTarget(changesTo, source, game);
                return true;
            }
            // The engine asks for the new targets of a spell on behalf of that spell, and a script names what changes them.
            JsonArray answer = prepared(seat, changing ? null : source, List.of("targets", "keep", "copy", "cards", "object", "player", "order", "timestamps", "pile"),
                given -> texts(given).stream().allMatch(id -> (ids.containsKey(id) || players.containsKey(id) || stack().containsValue(id)) && possible.contains(resolved(id))));
            if (answer == null && changing) {
                changing = false;
                prepared(seat, null, List.of("targets"), given -> true);
                return false;
            }
            // Where the engine asks only what is chosen, the "yes" before it has been said.
            if (answer != null && least == 0 && !changing) saidYes(seat, source);
            changing = false;
            if (answer == null && least == 0) {
                JsonArray may = prepared(seat, source, List.of("may"), given -> true);
                if (may != null && !may.get(0).getAsBoolean()) return false;
                if (may != null && possible.size() == 1) answer = words(possible.stream().map(this::name).toList());
            }
            List<UUID> chosen = new ArrayList<>();
            if (answer != null) for (String id : texts(answer)) chosen.add(resolved(id));
            else if (possible.isEmpty()) return false;
            else if (possible.size() <= least - target.getSize()) chosen.addAll(possible);
            else if (target.getSize() > 0 && target.getSize() >= least) return false;
            else throw question(kindOf(target, asTarget), seat.getName(), source == null ? null : name(source.getSourceId()));
            for (UUID id : chosen) if (asTarget && !target.isNotTarget()) target.addTarget(id, source, game); else target.add(id, game);
            return !chosen.isEmpty();
        }

        private static String kindOf(Target target, boolean asTarget) {
            if (asTarget && !target.isNotTarget()) return "targets";
            if (target.getTargetName() != null && target.getTargetName().contains("Legendary Rule")) return "keep";
            if (target instanceof TargetPlayer) return "player";
            return target instanceof TargetCard ? "cards" : "object";
        }

        /** The next of the lists of targets that were announced. */
        private boolean announcedTargets(Target target, Ability source, UUID by) {
            if (!announced.asked.add(target)) return false;
            int place = announced.asked.size() - 1;
            List<String> named = place < announced.targets.size() ? announced.targets.get(place) : List.of();
            if (named.isEmpty() && target.getMinNumberOfTargets() > 0) {
                // Where nothing is named, and there is one way only, it is that one.
                Set<UUID> possible = target.possibleTargets(by, source, game);
                if (!announced.targets.isEmpty() || possible.size() != target.getMinNumberOfTargets()) {
                    if (waiting.stream().anyMatch(one -> text(one.choice, "kind").equals("targets") && !text(one.choice, "for").isEmpty() && isFor(text(one.choice, "for"), source)))
                        throw unsupported("targets that are named by a choice, not as it is cast or activated");
                    return announced.not("a target is missing");
                }
                for (UUID one : possible) target.addTarget(one, source, game);
                return true;
            }
            for (String id : named) {
                UUID meant = resolved(id);
                if (!target.canTarget(by, meant, source, game)) return announced.not(id + " is no legal target");
                target.addTarget(meant, source, game);
            }
            if (target.getTargets().size() != named.size()) return announced.not("not all of " + named + " are taken as targets");
            return !named.isEmpty();
        }

        /** Targets among which something is divided. */
        boolean divide(Seat seat, TargetAmount target, Ability source) {
            UUID by = target.getAffectedAbilityControllerId(seat.getId());
            Set<UUID> possible = target.possibleTargets(by, source, game);
            boolean own = announced != null && announced.is(source);
            List<String> named;
            List<JsonObject> shares;
            if (own) {
                if (!announced.asked.add(target)) return false;
                int place = announced.asked.size() - 1;
                named = place < announced.targets.size() ? announced.targets.get(place) : List.of();
                shares = new ArrayList<>(list(announced.action, "divide"));
                JsonArray division = shares.isEmpty() ? prepared(seat, source, List.of("division"), given -> true) : null;
                if (division != null) for (JsonElement one : division) shares.add(one.getAsJsonObject());
            } else {
                JsonArray targets = prepared(seat, source, List.of("targets"), given -> true);
                JsonArray division = prepared(seat, source, List.of("division"), given -> true);
                if (targets == null) throw question("targets", seat.getName(), name(source.getSourceId()));
                named = texts(targets);
                shares = new ArrayList<>();
                if (division != null) for (JsonElement one : division) shares.add(one.getAsJsonObject());
            }
            for (String id : named) {
                UUID meant = resolved(id);
                int n = shares.isEmpty() && named.size() == 1 ? target.getAmountRemaining() : shares.stream().filter(one -> text(one, "to").equals(id)).mapToInt(one -> number(one, "n", 0)).sum();
                if (n < 1 || !possible.contains(meant)) return own && announced.not(id + " cannot have " + n);
                target.addTarget(meant, n, source, game);
            }
            if (target.getAmountRemaining() > 0) return own && announced.not("not all of it is divided");
            return true;
        }

        /** Whether new targets are being chosen for a copy. */
        private boolean changing;

        /** The new target, where the engine asks about each of several. */
        private UUID changesTo;

        /** The colors that are still to be named, where the engine asks for one after the other. */
        private List<String> colorsLeft = List.of();

        /** Yes or no. */
        boolean whether(Seat seat, String message, Ability source) {
            return whether(seat, message, "", "", source);
        }

        /** Whether the engine asks which of two costs is paid. It says "Pay" only in the question. */
        private static boolean isWhichCost(String said, String yes, String no) {
            String first = yes.toLowerCase(Locale.ENGLISH);
            return !no.isEmpty() && said.contains(" or ") && (said.startsWith(first) || said.startsWith("pay " + first));
        }

        /** Whether the script's word for a cost means this one. */
        private static boolean isCost(String way, String word) {
            String said = way.toLowerCase(Locale.ENGLISH);
            return switch (word) {
                case "mana" -> said.startsWith("{") || said.startsWith("pay {");
                case "pay_life" -> said.startsWith("pay ") && said.contains(" life");
                default -> said.contains(word.replace('_', ' '));
            };
        }

        /** Yes or no, where both may have words: "sacrifice an artifact" or "discard a card". */
        boolean whether(Seat seat, String message, String yes, String no, Ability source) {
            if (announced != null && announced.is(source) && announced.ability != null && !(announced.ability instanceof PlayLandAbility)) {
                String said = message.toLowerCase(Locale.ENGLISH);
                if (said.contains("kicker")) {
                    boolean kick = announced.kicks > 0;
                    if (kick) announced.kicks--;
                    return kick;
                }
                if (said.contains("life instead of")) {
                    announced.lifeAsked = true;
                    return announced.life-- > 0;
                }
                if (isWhichCost(said, yes, no)) {
                    for (String one : announced.additional)
                        for (String way : List.of(yes, no))
                            if (isCost(way, one)) {
                                announced.additional.remove(one);
                                return way.equals(yes);
                            }
                    throw unsupported("which of two costs is paid: " + message);
                }
                String extra = announced.additional.stream().filter(said::contains).findFirst().orElse(null);
                if (extra != null) return announced.additional.remove(extra);
                String method = announced.method.stream().filter(said::contains).findFirst().orElse(null);
                if (method != null) return announced.method.remove(method);
                if (said.startsWith("pay ") || said.startsWith("cast ") || said.contains("instead of")) {
                    if (announced.method.isEmpty()) return false;
                    announced.method.remove(0);
                    return true;
                }
                if (said.contains("splice")) return false;
            }
            JsonArray cost = isWhichCost(message.toLowerCase(Locale.ENGLISH), yes, no) ? prepared(seat, source, List.of("costs"), given -> true) : null;
            if (cost != null) {
                String word = cost.get(0).getAsString();
                if (isCost(yes, word) == isCost(no, word)) throw unsupported("which of two costs is paid: " + message);
                return isCost(yes, word);
            }
            if (message.startsWith("Change this ")) {
                JsonObject targets = waiting.stream().map(one -> one.choice).filter(one -> text(one, "kind").equals("targets") && text(one, "by").equals(seat.getName())).findFirst().orElse(null);
                changing = targets != null;
                changesTo = null;
                java.util.regex.Matcher counted = java.util.regex.Pattern.compile("Change this (\\d+) of (\\d+) ").matcher(message);
                if (changing && counted.lookingAt() && !counted.group(2).equals("1")) {
                    // It asks about each of several, one after the other, and the script names them all.
                    int place = Integer.parseInt(counted.group(1)), count = Integer.parseInt(counted.group(2));
                    List<String> all = texts(targets.getAsJsonArray("answer"));
                    if (all.size() != count) throw unsupported("new targets that are not as many as before");
                    changesTo = resolved(all.get(place - 1));
                    if (place == count) waiting.removeIf(one -> one.choice == targets);
                }
                // The engine does not ask before that whether targets are chosen.
                if (changing && !text(targets, "for").isEmpty())
                    waiting.removeIf(one -> text(one.choice, "kind").equals("may") && text(one.choice, "for").equals(text(targets, "for")) && one.choice.getAsJsonArray("answer").get(0).getAsBoolean());
                return changing;
            }
            // The target that was named is the one that it has.
            if (message.startsWith("This target was already selected") || message.startsWith("No target object selected")) return true;
            if (message.startsWith("Draw game because of infinite")) return false;
            if (message.equals("Choose another color?")) return !colorsLeft.isEmpty();
            // A shortcut for users, before the engine asks which lands.
            if (message.startsWith("Include your tapped lands")) return false;
            JsonArray answer = prepared(seat, source, List.of("may"), given -> true);
            // What is paid while something resolves is paid with free mana, and not with that in the pool.
            if (answer != null && answer.get(0).getAsBoolean() && announced == null && source != null && message.matches("(?i).*\\bpay \\{.*") && !seat.getManaPool().getManaItems().isEmpty()) lend(seat, source);
            if (answer != null) return answer.get(0).getAsBoolean();
            // What enters tapped did not pay for entering untapped.
            if (entersTapped) return false;
            // An answer to what is then chosen says yes to choosing.
            boolean more = waiting.stream().anyMatch(one -> List.of("copy", "object", "cards").contains(text(one.choice, "kind"))
                && text(one.choice, "by").equals(seat.getName()) && (source == null || text(one.choice, "for").isEmpty() || isFor(text(one.choice, "for"), source)));
            if (more) return true;
            throw question("may", seat.getName(), source == null ? null : name(source.getSourceId()));
        }

        /** A word out of several: a colour, a type, a name, one of several things to do. */
        boolean word(Seat seat, Choice choice) {
            Map<String, String> options = new LinkedHashMap<>();
            if (choice.isKeyChoice()) options.putAll(choice.getKeyChoices());
            else for (String one : choice.getChoices()) options.put(one, one);
            String makes = produced != null ? produced : announced == null ? "" : text(announced.action, "produces");
            String found = makes.isEmpty() ? null : matching(options, makes);
            if (found == null && options.size() == 1) found = options.keySet().iterator().next();
            if (found == null && options.containsValue("Red")) {
                if (colorsLeft.isEmpty()) {
                    JsonArray several = prepared(seat, null, List.of("color"), given -> given.size() > 1 && texts(given).stream().allMatch(one -> matching(options, one) != null));
                    if (several != null) colorsLeft = texts(several);
                }
                if (!colorsLeft.isEmpty()) {
                    found = matching(options, colorsLeft.get(0));
                    if (found == null) throw rejected("it offers no " + colorsLeft.get(0));
                    colorsLeft = colorsLeft.subList(1, colorsLeft.size());
                }
            }
            if (found == null) {
                JsonArray answer = prepared(seat, null, List.of("color", "type", "name", "word", "number", "option"),
                    given -> given.size() == 1 && matching(options, given.get(0).getAsString()) != null);
                if (answer != null) found = matching(options, answer.get(0).getAsString());
            }
            if (found == null && announced != null) found = alternative(options);
            if (found == null) {
                JsonArray answer = prepared(seat, null, List.of("option"), given -> given.get(0).getAsInt() <= options.size());
                if (answer != null) found = new ArrayList<>(options.keySet()).get(answer.get(0).getAsInt() - 1);
            }
            if (found == null) {
                String kind = choice.isManaColorChoice() || options.containsValue("Red") ? "color" : options.size() > 50 ? "type" : "option";
                throw question(kind, seat.getName(), null);
            }
            if (choice.isKeyChoice()) choice.setChoiceByKey(found);
            else choice.setChoice(found);
            return true;
        }

        /** Which cost is paid in place of the mana cost: that of the method which is named, or none. */
        private String alternative(Map<String, String> options) {
            if (options.values().stream().noneMatch(one -> one.startsWith("Cast with no alternative cost"))) return null;
            String method = announced.method.isEmpty() ? null : announced.method.remove(0);
            for (Map.Entry<String, String> one : options.entrySet()) {
                boolean ordinary = one.getValue().startsWith("Cast with no alternative cost");
                boolean free = one.getValue().contains("without paying");
                if (method == null ? ordinary : !ordinary && (options.size() < 3 || method.equals("free") == free)) return one.getKey();
            }
            return null;
        }

        private static String matching(Map<String, String> options, String said) {
            for (Map.Entry<String, String> one : options.entrySet()) if (one.getValue().equalsIgnoreCase(said)) return one.getKey();
            return null;
        }

        int x(Seat seat, int min, int max, Ability source) {
            Integer x = null;
            if (announced != null && announced.action.has("x") && !announced.action.get("x").isJsonNull()) {
                x = announced.action.get("x").getAsInt();
                announced.xAsked = true;
            } else {
                JsonArray answer = prepared(seat, source, List.of("x", "number"), given -> true);
                if (answer != null) x = answer.get(0).getAsInt();
            }
            if (x == null) throw question("x", seat.getName(), name(source.getSourceId()));
            if (x < min || x > max) {
                if (announced != null) announced.not("x is not to be " + x);
                return min;
            }
            return x;
        }

        int amount(Seat seat, int min, int max, Ability source) {
            if (min == max) return min;
            JsonArray answer = prepared(seat, source, List.of("number", "x"), given -> true);
            if (answer == null) throw question("number", seat.getName(), source == null ? null : name(source.getSourceId()));
            return answer.get(0).getAsInt();
        }

        /** The divisions of combat damage that the script has named. */
        private final List<JsonObject> divisions = new ArrayList<>();

        /** Division of damage among creatures, which the engine names by the first letters of their ids. */
        List<Integer> shares(Seat seat, List<MultiAmountMessage> messages, int min, int max, String title) {
            List<UUID> whom = new ArrayList<>();
            for (MultiAmountMessage one : messages) whom.add(mentioned(one.message));
            UUID by = mentioned(title);
            // The engine also asks how to divide no damage at all.
            if (max == 0) return messages.stream().map(one -> 0).toList();
            while (true) {
                for (JsonObject division : divisions)
                    for (JsonObject each : list(division, "assignments")) {
                        if (!resolved(text(each, "by")).equals(by)) continue;
                        List<Integer> found = new ArrayList<>();
                        int sum = 0;
                        for (int n = 0; n < whom.size(); n++) {
                            UUID to = whom.get(n);
                            int share = list(each, "shares").stream().filter(one -> resolved(text(one, "to")).equals(to)).mapToInt(one -> number(one, "n", 0)).sum();
                            found.add(share);
                            sum += share;
                            if (share < messages.get(n).min || share > messages.get(n).max) throw rejected("damage is not divided like this");
                        }
                        if (sum < min || sum > max) throw rejected("damage is not divided like this");
                        return found;
                    }
                JsonObject action = declaration(seat, "assign");
                if (action == null) throw question("division", seat.getName(), by == null ? null : name(by));
                if (text(action, "do").equals("try")) throw unsupported("trying a division of damage");
                divisions.add(action);
                at++;
            }
        }

        /** The permanent whose name and short id stand in a text of the engine's. */
        private UUID mentioned(String text) {
            List<UUID> found = game.getBattlefield().getAllActivePermanents().stream().filter(one -> text.contains(one.getLogName())).map(MageItem::getId).toList();
            if (found.size() != 1) throw unsupported("dividing damage among creatures that the engine does not tell apart");
            return found.get(0);
        }

        /** Which of several replacement effects applies first. */
        int replacement(Seat seat, Map<String, String> effects, Map<String, MageObject> objects) {
            if (effects.size() < 2) return 0;
            List<String> keys = new ArrayList<>(effects.keySet());
            List<String> sources = new ArrayList<>();
            for (String key : keys) sources.add(objects.get(key) == null ? null : names.get(objects.get(key).getId()));
            // Of several effects of one object it makes no difference which comes first.
            if (sources.stream().distinct().count() == 1) return 0;
            JsonArray answer = prepared(seat, null, List.of("replacement"), given -> given.size() > 0 && sources.contains(given.get(0).getAsString()));
            // A rule's own effect has no object that a script could name.
            if (answer == null && sources.contains(null)) throw unsupported("which of several replacement effects applies first, if one is a rule's");
            if (answer == null) throw question("replacement", seat.getName(), String.join(", ", sources.stream().map(String::valueOf).toList()));
            return sources.indexOf(answer.get(0).getAsString());
        }

        /** In which order the triggers of one player go onto the stack. */
        private final Map<Seat, List<String>> order = new HashMap<>();

        TriggeredAbility nextTrigger(Seat seat, List<TriggeredAbility> abilities) {
            List<String> named = new ArrayList<>();
            for (TriggeredAbility one : abilities) named.add(words.of(one) + " of " + names.getOrDefault(one.getSourceId(), "something"));
            if (named.stream().distinct().count() == 1) {
                if (abilities.get(0) instanceof DelayedTriggeredAbility) {
                    JsonArray answer = prepared(seat, null, List.of("order"), given -> given.size() == named.size() && named.containsAll(texts(given).stream().map(XmageShim::plain).toList()));
                    if (answer != null && !inTurn(texts(answer))) throw unsupported("which of several triggers in the same words comes first");
                }
                return abilities.get(0);
            }
            List<String> rest = order.computeIfAbsent(seat, key -> new ArrayList<>());
            // What is left of an earlier answer is about other triggers: the engine does not ask about the last ones.
            if (!rest.stream().sorted().toList().equals(named.stream().sorted().toList())) rest.clear();
            if (rest.isEmpty()) {
                JsonArray answer = prepared(seat, null, List.of("order"), given -> named.containsAll(texts(given).stream().map(XmageShim::plain).toList()));
                if (answer == null) throw question("order", seat.getName(), String.join(", ", named));
                if (abilities.stream().anyMatch(DelayedTriggeredAbility.class::isInstance) && !inTurn(texts(answer))) throw unsupported("which of several triggers in the same words comes first");
                rest.addAll(texts(answer).stream().map(XmageShim::plain).toList());
            }
            return abilities.get(named.indexOf(rest.remove(0)));
        }

        /** Whether those of several in the same words come in the order of their numbers. */
        private static boolean inTurn(List<String> order) {
            Map<String, Integer> last = new HashMap<>();
            for (String one : order) {
                java.util.regex.Matcher number = java.util.regex.Pattern.compile(" \\((\\d+)\\)$").matcher(one);
                int n = number.find() ? Integer.parseInt(number.group(1)) : 1;
                if (last.getOrDefault(plain(one), 0) >= n) return false;
                last.put(plain(one), n);
            }
            return true;
        }

        /** The ability whose modes are being chosen, and those that the script's answer names after the first. */
        private Ability modal;
        private final List<Integer> furtherModes = new ArrayList<>();

        Mode mode(Seat seat, Modes modes, Ability source) {
            List<Mode> printed = new ArrayList<>(modes.values());
            // As the engine's own players do it: only what has targets is offered.
            List<Mode> possible = modes.getAvailableModes(source, game).stream().filter(one -> one.getTargets().canChoose(seat.getId(), source, game)).toList();
            if (possible.isEmpty()) return null;
            int n;
            if (announced != null && announced.is(source)) {
                if (announced.modes.isEmpty()) return null;
                n = announced.modes.remove(0);
            } else if (modal == source && !furtherModes.isEmpty()) {
                n = furtherModes.remove(0);
            } else {
                if (!modes.getSelectedModes().isEmpty() && modes.getSelectedModes().size() >= modes.getMinModes()) return null;
                JsonArray answer = prepared(seat, source, List.of("modes", "option"), given -> true);
                if (answer == null && possible.size() == 1 && modes.getMinModes() > 0) return possible.get(0);
                if (answer == null) throw question("modes", seat.getName(), name(source.getSourceId()));
                if (answer.isEmpty()) return null;
                if (answer.size() > modes.getMaxModes(game, source)) throw unsupported("more modes than can be chosen");
                n = answer.get(0).getAsInt();
                modal = source;
                furtherModes.clear();
                for (int k = 1; k < answer.size(); k++) furtherModes.add(answer.get(k).getAsInt());
            }
            Mode mode = n >= 1 && n <= printed.size() ? printed.get(n - 1) : null;
            boolean again = mode != null && modes.getSelectedModes().contains(mode.getId()) && !modes.isMayChooseSameModeMoreThanOnce();
            if (mode != null && !again && possible.contains(mode)) return mode;
            if (announced != null) announced.not("mode " + n + " cannot be chosen");
            return null;
        }

        // ------------------------------------------------------------------------------------------ THE LOOKS

        /** A snapshot: of everything wanted at this look the keys that can be read. */
        private void look(String name, Seat holder, Seat deciding) {
            if (waiting.stream().anyMatch(one -> text(one.choice, "kind").equals("option"))) throw unsupported("an option that the engine asks for in another way");
            if (game.getTurnStepType() == PhaseStep.DECLARE_ATTACKERS && attackersAsked != moment() && !game.getCombat().getAttackers().isEmpty())
                throw unsupported("a look before attackers are declared: the engine declares those that have to attack by itself");
            JsonObject objects = new JsonObject(), players = new JsonObject(), table = new JsonObject();
            for (JsonObject want : list(scenario, "wants")) {
                if (!text(want, "look").equals(name)) continue;
                String of = text(want, "of");
                List<String> keys = texts(want, "keys");
                if (of.equals("table")) table = wanted(keys, seenTable(holder, deciding));
                else if (this.players.containsKey(of)) players.add(of, wanted(keys, seenPlayer(this.players.get(of))));
                else {
                    JsonObject seen = seenObject(of);
                    // The engine declares what has to attack or to block before it asks: that is not declared yet.
                    if (seen != null && deciding != null && seen.has("attacking") && !seen.get("attacking").isJsonNull() && game.getTurnStepType() == PhaseStep.DECLARE_ATTACKERS) {
                        seen.remove("attacking");
                        seen.remove("tapped");
                    }
                    if (seen != null && deciding != null && game.getTurnStepType() == PhaseStep.DECLARE_BLOCKERS) seen.remove("blocking");
                    if (seen != null) objects.add(of, wanted(keys, seen));
                }
            }
            JsonObject seen = new JsonObject();
            seen.add("objects", objects);
            seen.add("players", players);
            seen.add("table", table);
            looks.add(name, seen);
        }

        private static JsonObject wanted(List<String> keys, JsonObject seen) {
            JsonObject found = new JsonObject();
            for (String key : keys) if (seen.has(key)) found.add(key, seen.get(key));
            return found;
        }

        private JsonObject seenTable(Seat holder, Seat deciding) {
            boolean over = game.hasEnded() || game.checkIfGameIsOver();
            JsonObject seen = new JsonObject();
            Player active = game.getPlayer(game.getActivePlayerId());
            seen.addProperty("turn", active.getName());
            seen.addProperty("active", active.getName());
            seen.addProperty("step", WORDS.get(game.getTurnStepType()));
            seen.addProperty("priority", over || holder == null ? null : holder.getName());
            seen.addProperty("deciding", over || deciding == null ? null : deciding.getName());
            seen.add("stack", words(stack().values()));
            seen.addProperty("over", over);
            JsonArray tokens = new JsonArray();
            for (Permanent token : tokens().values()) {
                JsonObject one = new JsonObject();
                one.addProperty("name", tokenName(token));
                one.addProperty("controller", name(token.getControllerId()));
                tokens.add(one);
            }
            seen.add("tokens", tokens);
            return seen;
        }

        private JsonObject seenPlayer(Seat seat) {
            JsonObject seen = new JsonObject();
            seen.addProperty("life", seat.getLife());
            seen.add("hand", namesOf(seat.getHand()));
            seen.addProperty("library_size", seat.getLibrary().size());
            Card top = seat.getLibrary().getFromTop(game);
            seen.addProperty("library_top", top == null ? null : name(top.getId()));
            seen.add("graveyard", namesOf(backwards(new ArrayList<>(seat.getGraveyard()))));
            List<UUID> exiled = new ArrayList<>();
            for (ExileZone zone : game.getExile().getExileZones()) for (UUID id : zone) if (game.getCard(id).isOwnedBy(seat.getId())) exiled.add(id);
            seen.add("exile", namesOf(exiled));
            Mana mana = seat.getManaPool().getMana().copy();
            for (ConditionalMana only : seat.getManaPool().getConditionalMana()) mana.add(only);
            StringBuilder pool = new StringBuilder();
            for (ManaType type : PAID) pool.append(("{" + letter(type) + "}").repeat(mana.get(type)));
            seen.addProperty("pool", pool.toString());
            seen.addProperty("hand_size", seat.getMaxHandSize() == Integer.MAX_VALUE ? null : seat.getMaxHandSize());
            if (game.isActivePlayer(seat.getId())) seen.addProperty("land_plays", Math.max(0, seat.getLandsPerTurn() - seat.getLandsPlayed()));
            seen.addProperty("lost", seat.hasLost());
            seen.add("counters", counters(seat.getCountersAsCopy()));
            JsonArray keywords = keywords(seat.getAbilities());
            if (keywords != null) seen.add("keywords", keywords);
            return seen;
        }

        private JsonArray namesOf(Collection<UUID> ids) {
            return words(ids.stream().map(this::name).toList());
        }

        /** A thing of the scenario, or an entry of the stack. */
        private JsonObject seenObject(String id) {
            for (Map.Entry<StackObject, String> one : stack().entrySet()) if (one.getValue().equals(id)) return seenEntry(one.getKey());
            if (!ids.containsKey(id)) return null;
            Permanent permanent = permanent(id);
            if (permanent != null) return seenPermanent(permanent);
            Card card = card(id);
            for (StackObject one : game.getStack()) if (one instanceof Spell spell && !spell.isCopy() && spell.getSourceId().equals(ids.get(id))) return seenEntry(spell);
            if (card == null) return new JsonObject();
            JsonObject seen = seenCard(card, card.getAbilities(game), card.isCreature(game) || card.hasSubtype(SubType.VEHICLE, game));
            seen.addProperty("zone", zone(game.getState().getZone(card.getId())));
            seen.addProperty("face_down", card.isFaceDown(game));
            seen.add("counters", counters(card.getCounters(game)));
            return seen;
        }

        /** What a card, a permanent and a spell have in common. The engine has the number 0 for what has no size: it is not reported. */
        private JsonObject seenCard(Card card, Abilities<Ability> abilities, boolean sized) {
            JsonObject seen = new JsonObject();
            seen.addProperty("owner", name(card.getOwnerId()));
            seen.addProperty("name", card.getName().isEmpty() ? null : tokenName(card));
            seen.add("cost", cost(card.getManaCostSymbols()));
            seen.addProperty("mana_value", card.getManaValue());
            List<String> colors = new ArrayList<>();
            ObjectColor color = card.getColor(game);
            if (color.isWhite()) colors.add("white");
            if (color.isBlue()) colors.add("blue");
            if (color.isBlack()) colors.add("black");
            if (color.isRed()) colors.add("red");
            if (color.isGreen()) colors.add("green");
            seen.add("colors", words(colors));
            seen.add("types", words(card.getCardType(game).stream().map(CardType::toString).toList()));
            List<String> subtypes = new ArrayList<>();
            boolean every = card.isAllCreatureTypes(game);
            for (SubType one : card.getSubtype(game)) if (!every || one.getSubTypeSet() != SubTypeSet.CreatureType) subtypes.add(one.getDescription());
            if (every) subtypes.add("all creature types");
            seen.add("subtypes", words(subtypes));
            seen.add("supertypes", words(card.getSuperType(game).stream().map(SuperType::toString).toList()));
            if (sized) {
                seen.addProperty("power", card.getPower().getValue());
                seen.addProperty("toughness", card.getToughness().getValue());
            }
            // A gained flashback costs what the card costs: scenarios write it without a cost, and the engine's has one.
            JsonArray keywords = flashbacks(abilities) > flashbacks(card.getAbilities()) ? null : keywords(abilities);
            if (keywords != null) seen.add("keywords", keywords);
            return seen;
        }

        private static long flashbacks(Abilities<Ability> abilities) {
            return abilities.stream().filter(FlashbackAbility.class::isInstance).count();
        }

        private JsonObject seenPermanent(Permanent permanent) {
            JsonObject seen = seenCard(permanent, permanent.getAbilities(game), permanent.isCreature(game));
            if (permanent.isPlaneswalker(game)) seen.addProperty("loyalty", permanent.getCounters(game).getCount(CounterType.LOYALTY));
            seen.addProperty("zone", "battlefield");
            seen.addProperty("controller", name(permanent.getControllerId()));
            seen.addProperty("tapped", permanent.isTapped());
            seen.addProperty("face_down", permanent.isFaceDown(game));
            seen.addProperty("damage", permanent.getDamage());
            seen.add("counters", counters(permanent.getCounters(game)));
            seen.addProperty("attached_to", permanent.getAttachedTo() == null ? null : name(permanent.getAttachedTo()));
            CombatGroup group = game.getCombat().findGroup(permanent.getId());
            // What it attacked may be out of combat; it is an attacking creature all the same.
            if (group != null && group.getDefenderId() == null) seen.addProperty("attacking", "nothing");
            else seen.addProperty("attacking", group == null ? null : name(group.getDefenderId()));
            List<String> blocking = new ArrayList<>();
            for (CombatGroup one : game.getCombat().getGroups()) if (one.getBlockers().contains(permanent.getId())) for (UUID id : one.getAttackers()) blocking.add(name(id));
            // What it blocked may be gone; it is a blocking creature all the same.
            if (blocking.isEmpty() && permanent.getBlocking() > 0) blocking.add("nothing");
            seen.add("blocking", words(blocking));
            return seen;
        }

        private JsonObject seenEntry(StackObject entry) {
            Ability ability = entry.getStackAbility();
            JsonObject seen;
            String kind;
            if (entry instanceof Spell spell) {
                seen = seenCard(spell, spell.getAbilities(game), spell.isCreature(game));
                seen.addProperty("face_down", spell.isFaceDown(game));
                kind = spell.isCopy() ? "copy" : "spell";
                if (!spell.isCopy() && paid.containsKey(spell.getSourceId())) seen.addProperty("paid", paid.get(spell.getSourceId()));
                if (spell.isCopy()) seen.remove("owner");
            } else {
                seen = new JsonObject();
                kind = entry.isCopy() ? "copy" : ability instanceof TriggeredAbility ? "triggered" : "activated";
                seen.addProperty("source", name(entry.getSourceId()));
            }
            seen.addProperty("kind", kind);
            seen.addProperty("zone", "stack");
            seen.addProperty("controller", name(entry.getControllerId()));
            List<String> targets = new ArrayList<>();
            List<Ability> parts = entry instanceof Spell spell ? new ArrayList<>(spell.getSpellAbilities()) : List.of(ability);
            for (Ability part : parts)
                for (UUID id : part.getModes().getSelectedModes())
                    for (Target target : part.getModes().get(id).getTargets()) if (!target.isNotTarget()) for (UUID each : target.getTargets()) targets.add(name(each));
            seen.add("targets", words(targets));
            return seen;
        }
    }

    static JsonArray words(Collection<String> words) {
        JsonArray found = new JsonArray();
        for (String word : words) found.add(word);
        return found;
    }

    static JsonArray counters(Counters counters) {
        JsonArray found = new JsonArray();
        for (Counter counter : new TreeMap<>(counters).values())
            if (counter.getCount() > 0) {
                JsonObject one = new JsonObject();
                one.addProperty("kind", counter.getName());
                one.addProperty("n", counter.getCount());
                found.add(one);
            }
        return found;
    }

    static Counter counter(String kind, int n) {
        CounterType type = CounterType.findByName(kind);
        if (type == null) throw unsupported(kind + " counters");
        return type.createInstance(n);
    }

    static String zone(Zone zone) {
        return zone == null || zone == Zone.OUTSIDE ? null : zone == Zone.EXILED ? "exile" : zone.toString().toLowerCase(Locale.ENGLISH);
    }

    /** A mana cost in symbols; none where there is no cost. */
    static JsonElement cost(List<String> symbols) {
        String written = String.join("", symbols);
        return new Gson().toJsonTree(written.isEmpty() ? null : written);
    }

    /** The keywords among abilities; none if one of them has something with it that cannot be spelled. */
    static JsonArray keywords(Collection<Ability> abilities) {
        Set<String> found = new TreeSet<>();
        for (Ability ability : abilities) {
            // Some cards with affinity have it in other words, those of an ordinary reduction.
            if (ability.getEffects().stream().anyMatch(SpellCostReductionForEachSourceEffect.class::isInstance)) return null;
            String word = keyword(ability);
            // The engine has three abilities for suspend.
            if (word == null || word.equals("suspend") && !(ability instanceof SuspendAbility)) continue;
            String spelled = spelled(ability, word);
            if (spelled == null) return null;
            // "Protection from black and from red" is one ability there.
            String[] parts = spelled.split(",? and from |, from ");
            found.add(parts[0]);
            for (int n = 1; n < parts.length; n++) found.add("protection from " + parts[n]);
        }
        return words(found);
    }

    /** What the engine's own class for a keyword is called. */
    static String keyword(Ability ability) {
        if (ability instanceof ProtectionAbility) return "protection";
        if (!ability.getClass().getName().startsWith("mage.abilities.keyword.")) return null;
        // "Is every creature type" is of the same class as the keyword there.
        if (ability instanceof ChangelingAbility && !ability.getRule().toLowerCase(Locale.ENGLISH).contains("changeling")) return null;
        if (ability.getClass().getSimpleName().startsWith("Suspend")) return "suspend";
        String word = spaced(ability.getClass().getSimpleName().replaceAll("(Delayed)?(Triggered)?Ability$", ""));
        return NO_KEYWORDS.contains(word) ? null : word;
    }

    private static final Set<String> WITH_COST = Set.of("bestow", "buyback", "cumulative upkeep", "cycling", "dash", "disguise", "echo", "entwine", "equip", "escape", "evoke", "flashback", "foretell", "kicker", "madness", "morph", "ninjutsu", "offspring", "outlast", "overload", "plot", "splice", "unearth", "ward", "warp");
    private static final Set<String> WITH_NUMBER = Set.of("absorb", "afflict", "annihilator", "bushido", "crew", "fabricate", "graft", "mobilize", "modular", "poisonous", "saddle", "toxic");
    /** Classes of the package for keywords that are no keywords, and those for what definitions say of an activated or triggered ability. */
    private static final Set<String> NO_KEYWORDS = Set.of("adapt", "battalion", "bloodrush", "channel", "heroic", "inspired", "meditate", "monstrosity", "pack tactics", "power up", "can attack only alone", "can block spaceflight", "cant attack or block alone", "cant be blocked source", "cast from graveyard", "class level", "class reminder", "daunt", "exhaust", "hexproof base", "leveler card builder", "leyline", "modular static", "spaceflight");
    private static final java.util.regex.Pattern COST = java.util.regex.Pattern.compile("(?:\\{[^}]+})+");
    private static final java.util.regex.Pattern NUMBER = java.util.regex.Pattern.compile("\\d+");

    /** A keyword with what goes with it: "equip {2}", "protection from red", "enchant creature", "crew 3"; none if that cannot be spelled. */
    private static String spelled(Ability ability, String word) {
        String printed = ability.getRule().replaceAll("<[^>]*>", "").replace("&mdash;", "—").replace("{this} has ", "").replaceAll("\\s*\\(.*", "").trim().replaceAll("\\.$", "");
        String rule = printed.toLowerCase(Locale.ENGLISH);
        // What an invented Aura enchants has no words of the engine's if it is more than one type.
        if (rule.equals("enchant permanents")) return null;
        if (List.of("affinity", "enchant", "protection").contains(word)) return named(rule);
        if (word.equals("landwalk")) return rule;
        if (word.equals("suspend")) return COST.matcher(rule).replaceAll(symbols -> symbols.group().toUpperCase(Locale.ENGLISH));
        if (WITH_NUMBER.contains(word)) {
            java.util.regex.Matcher number = NUMBER.matcher(rule);
            return number.find() ? word + " " + number.group() : null;
        }
        if (!WITH_COST.contains(word) && !word.endsWith("cycling")) return word;
        java.util.regex.Matcher cost = COST.matcher(rule);
        if (!cost.find()) return null;
        String about = word.equals("splice") ? printed.substring(word.length(), cost.start()).stripTrailing() : "";
        return word + about + " " + cost.group().toUpperCase(Locale.ENGLISH);
    }

    /** The words with creature types and basic land types written large, which the engine's cards do not agree about: "protection from Goblins". */
    private static String named(String words) {
        List<String> said = new ArrayList<>();
        for (String one : words.split(" ")) {
            String word = one.replaceAll(",$", "");
            boolean subtype = Arrays.stream(SubType.values()).anyMatch(type -> List.of(SubTypeSet.CreatureType, SubTypeSet.BasicLandType, SubTypeSet.NonBasicLandType, SubTypeSet.ArtifactType).contains(type.getSubTypeSet())
                && List.of(type.getPluralName(), type.getDescription(), type.getDescription().replaceAll("f$", "ves")).stream().anyMatch(word::equalsIgnoreCase));
            said.add(subtype ? Character.toUpperCase(one.charAt(0)) + one.substring(1) : one);
        }
        return String.join(" ", said);
    }

    // ----------------------------------------------------------------------------------------- THE SEAT

    /** A player: whatever the engine asks is handed to the story. In the engine's own trial games nobody answers. */
    static final class Seat extends PlayerImpl {
        private final Story story;

        Seat(String name, Story story) {
            super(name, RangeOfInfluence.ALL);
            this.story = story;
            this.userData = UserData.getDefaultUserDataView();
            this.manaPool.setAutoPayment(true);
            this.manaPool.setAutoPaymentRestricted(false);
            this.human = true;
        }

        private Seat(Seat other) {
            super(other);
            this.story = other.story;
        }

        private static boolean trial(Game game) {
            return game.isSimulation() || game.inCheckPlayableState();
        }

        @Override public Seat copy() { return new Seat(this); }
        @Override public boolean getStrictChooseMode() { return true; }
        @Override public boolean isComputer() { return false; }
        @Override public void abort() { }
        @Override public void skip() { }

        @Override
        public boolean priority(Game game) {
            // Somebody may have lost just before; the engine's own players do nothing then.
            return canRespond() && story.priority(this);
        }

        /** Where there is more in the pool than anything costs, no other mana has to be looked for on a copy of the game. */
        @Override
        public ManaOptions getManaAvailable(Game game) {
            if (!getId().equals(story.rich)) return super.getManaAvailable(game);
            ManaOptions found = new ManaOptions();
            found.addMana(getManaPool().getMana());
            return found;
        }

        @Override
        public boolean choose(Outcome outcome, Target target, Ability source, Game game) {
            return !trial(game) && story.pick(this, target, source, null, false);
        }

        @Override
        public boolean choose(Outcome outcome, Target target, Ability source, Game game, Map<String, Serializable> options) {
            return !trial(game) && story.pick(this, target, source, null, false);
        }

        @Override
        public boolean choose(Outcome outcome, mage.cards.Cards cards, TargetCard target, Ability source, Game game) {
            return !trial(game) && story.pick(this, target, source, cards, false);
        }

        @Override
        public boolean chooseTarget(Outcome outcome, Target target, Ability source, Game game) {
            return !trial(game) && story.pick(this, target, source, null, true);
        }

        @Override
        public boolean chooseTarget(Outcome outcome, mage.cards.Cards cards, TargetCard target, Ability source, Game game) {
            return !trial(game) && story.pick(this, target, source, cards, true);
        }

        @Override
        public boolean chooseTargetAmount(Outcome outcome, TargetAmount target, Ability source, Game game) {
            return !trial(game) && story.divide(this, target, source);
        }

        @Override public boolean chooseMulligan(Game game) { return false; }

        @Override
        public boolean chooseUse(Outcome outcome, String message, Ability source, Game game) {
            return !trial(game) && story.whether(this, message, source);
        }

        @Override
        public boolean chooseUse(Outcome outcome, String message, String second, String yes, String no, Ability source, Game game) {
            return !trial(game) && story.whether(this, message, yes == null ? "" : yes, no == null ? "" : no, source);
        }

        @Override
        public boolean choose(Outcome outcome, Choice choice, Game game) {
            return !trial(game) && story.word(this, choice);
        }

        @Override
        public boolean choosePile(Outcome outcome, String message, List<? extends Card> one, List<? extends Card> two, Game game) {
            throw unsupported("the question which pile");
        }

        @Override
        public boolean playMana(Ability ability, ManaCost unpaid, String prompt, Game game) {
            return !trial(game) && story.moreMana(this, ability);
        }

        @Override
        public int announceX(int min, int max, String message, Game game, Ability source, boolean isManaPay) {
            return trial(game) ? min : story.x(this, min, max, source);
        }

        @Override
        public int getAmount(int min, int max, String message, Ability source, Game game) {
            return trial(game) ? min : story.amount(this, min, max, source);
        }

        @Override
        public List<Integer> getMultiAmountWithIndividualConstraints(Outcome outcome, List<MultiAmountMessage> messages, int min, int max, MultiAmountType type, Game game) {
            return story.shares(this, messages, min, max, type.getHeader());
        }

        @Override
        public int chooseReplacementEffect(Map<String, String> effects, Map<String, MageObject> objects, Game game) {
            return trial(game) ? 0 : story.replacement(this, effects, objects);
        }

        @Override
        public TriggeredAbility chooseTriggeredAbility(List<TriggeredAbility> abilities, Game game) {
            return trial(game) ? abilities.get(0) : story.nextTrigger(this, abilities);
        }

        @Override
        public Mode chooseMode(Modes modes, Ability source, Game game) {
            return trial(game) ? null : story.mode(this, modes, source);
        }

        @Override
        public void selectAttackers(Game game, UUID attacker) {
            story.attackers(this);
        }

        @Override
        public void selectBlockers(Ability source, Game game, UUID defender) {
            story.blockers(this, defender);
        }

        @Override public void shuffleLibrary(Ability source, Game game) { }
        @Override public void sideboard(Match match, Deck deck) { }
        @Override public void construct(Tournament tournament, Deck deck) { }
        @Override public void pickCard(List<Card> cards, Deck deck, Draft draft) { }
    }

    // -------------------------------------------------------------------------------------- THE PROTOCOL

    static final Map<String, PhaseStep> STEPS = new LinkedHashMap<>();
    static final Map<PhaseStep, String> WORDS = new EnumMap<>(PhaseStep.class);
    static final List<ManaType> PAID = List.of(ManaType.WHITE, ManaType.BLUE, ManaType.BLACK, ManaType.RED, ManaType.GREEN, ManaType.COLORLESS);

    static {
        Object[] all = {"untap", PhaseStep.UNTAP, "upkeep", PhaseStep.UPKEEP, "draw", PhaseStep.DRAW, "precombat main", PhaseStep.PRECOMBAT_MAIN,
            "beginning of combat", PhaseStep.BEGIN_COMBAT, "declare attackers", PhaseStep.DECLARE_ATTACKERS, "declare blockers", PhaseStep.DECLARE_BLOCKERS,
            "first-strike damage", PhaseStep.FIRST_COMBAT_DAMAGE, "combat damage", PhaseStep.COMBAT_DAMAGE, "end of combat", PhaseStep.END_COMBAT,
            "postcombat main", PhaseStep.POSTCOMBAT_MAIN, "end", PhaseStep.END_TURN, "cleanup", PhaseStep.CLEANUP};
        for (int n = 0; n < all.length; n += 2) {
            STEPS.put((String) all[n], (PhaseStep) all[n + 1]);
            WORDS.put((PhaseStep) all[n + 1], (String) all[n]);
        }
    }

    static String letter(ManaType type) {
        return type == ManaType.BLUE ? "U" : type == ManaType.COLORLESS ? "C" : type.toString().substring(0, 1).toUpperCase(Locale.ENGLISH);
    }

    /** A colour word or a mana symbol as the engine's type of mana. */
    static ManaType mana(String word) {
        String bare = word.replaceAll("[{}]", "");
        for (ManaType type : ManaType.values()) if (type.name().equalsIgnoreCase(bare) || letter(type).equals(bare)) return type;
        throw unsupported("mana of the kind " + word);
    }

    static List<String> symbols(String text) {
        List<String> found = new ArrayList<>();
        for (String one : text.split("[{}]+")) if (!one.isEmpty()) found.add(one);
        return found;
    }

    /** A name on the stack without its number. */
    static String plain(String name) {
        return name.replaceAll(" \\(\\d+\\)$", "");
    }

    static <T> List<T> backwards(List<T> all) {
        List<T> found = new ArrayList<>(all);
        Collections.reverse(found);
        return found;
    }

    record Prepared(int at, JsonObject choice) { }

    /** The whole answer to a scenario. */
    /** What comes of tags that are ours says nothing about the engine: where they tie effects, the play without them has to come out the same. */
    static JsonObject answered(JsonElement id, JsonObject scenario) {
        Ours.tied = false;
        JsonObject answer = played(id, scenario);
        if (!Ours.tied) return answer;
        Ours.tagged = false;
        JsonObject without = played(id, scenario);
        Ours.tagged = true;
        return without.equals(answer) ? answer : answer(id, null, unsupported("the order of these effects rests on dependency tags that the shim would set"));
    }

    static JsonObject played(JsonElement id, JsonObject scenario) {
        Story story = null;
        try {
            try {
                story = new Story(scenario);
                story.play();
            } catch (Exception | StackOverflowError error) {
                throw error instanceof Not not ? not : failure(error);
            }
        } catch (Not not) {
            return answer(id, story, not);
        }
        return answer(id, story, null);
    }

    /** What a story shows up to where it stopped, if it did. */
    static JsonObject answer(JsonElement id, Story story, Not not) {
        JsonObject answer = new JsonObject(), stopped = null;
        answer.add("id", id);
        if (not != null && not.why.equals("error")) {
            answer.addProperty("error", not.getMessage());
            return answer;
        }
        if (not != null) {
            stopped = new JsonObject();
            stopped.addProperty("at", story == null ? 0 : story.doing);
            stopped.addProperty("why", not.why);
            stopped.addProperty(not.why.equals("question") ? "question" : "says", not.getMessage());
        }
        JsonArray unused = new JsonArray();
        if (story != null) for (Prepared one : story.waiting) if (one.at >= 0 && text(one.choice, "do").equals("choose")) unused.add(one.at);
        answer.add("looks", story == null ? new JsonObject() : story.looks);
        answer.add("tried", story == null ? new JsonObject() : story.tried);
        answer.add("unused", unused);
        answer.add("cards", story == null ? new JsonObject() : story.ways);
        answer.add("stopped", stopped);
        return answer;
    }

    static JsonObject hello() {
        JsonObject answer = new JsonObject();
        answer.addProperty("protocol", 1);
        answer.addProperty("name", NAME);
        answer.addProperty("version", VERSION);
        answer.addProperty("edition", EDITION);
        answer.add("takes", words(List.of("named", "defined")));
        answer.add("lacks", words(List.of("teams", "text change", "simultaneous entry")));
        answer.addProperty("wants_defaults", true);
        return answer;
    }

    /** Answer line by line; stdout belongs to the protocol, stderr is for people. */
    public static void main(String[] arguments) throws IOException {
        org.apache.log4j.Logger.getRootLogger().setLevel(org.apache.log4j.Level.OFF);
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        PrintStream out = new PrintStream(new BufferedOutputStream(new FileOutputStream(FileDescriptor.out), 1 << 16), false, StandardCharsets.UTF_8);
        // The engine prints to both.
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        Gson written = new GsonBuilder().serializeNulls().disableHtmlEscaping().create();
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            JsonObject request = JsonParser.parseString(line).getAsJsonObject();
            if (text(request, "say").equals("bye")) return;
            JsonObject answer = text(request, "say").equals("hello") ? hello() : answered(request.get("id"), record(request, "scenario"));
            out.print(written.toJson(answer) + "\n");
            out.flush();
        }
    }
}
