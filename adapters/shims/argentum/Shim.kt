// A shim between the conformance suite and the Kotlin engine Argentum: scenarios in, what was seen out.
//
// It is one file, compiled beside the engine's own modules; README.md beside it says how. In this order: READING, THE
// CARDS (definitions become the engine's own CardDefinitions, by their constructors), THE TABLE (setup), THE QUESTIONS
// (what the engine waits for, answered by what the script says), THE ACTIONS, THE LOOKS, THE PROTOCOL.
//
// It decides nothing: what the engine cannot be asked is `unsupported`, what it refuses is `rejected`.

package conformance

import com.wingedsheep.engine.core.*
import com.wingedsheep.engine.handlers.ConditionEvaluator
import com.wingedsheep.engine.handlers.DynamicAmountEvaluator
import com.wingedsheep.engine.handlers.EffectContext
import com.wingedsheep.engine.handlers.PredicateContext
import com.wingedsheep.engine.handlers.PredicateEvaluator
import com.wingedsheep.engine.handlers.effects.ZoneEntryOptions
import com.wingedsheep.engine.handlers.effects.ZoneTransitionService
import com.wingedsheep.engine.legalactions.utils.LandDropUtils
import com.wingedsheep.engine.mechanics.layers.StaticAbilityHandler
import com.wingedsheep.engine.registry.CardRegistry
import com.wingedsheep.engine.state.ComponentContainer
import com.wingedsheep.engine.state.GameState
import com.wingedsheep.engine.state.ZoneKey
import com.wingedsheep.engine.state.components.battlefield.AttachedToComponent
import com.wingedsheep.engine.state.components.battlefield.CountersComponent
import com.wingedsheep.engine.state.components.battlefield.DamageComponent
import com.wingedsheep.engine.state.components.battlefield.EnteredThisTurnComponent
import com.wingedsheep.engine.state.components.battlefield.SummoningSicknessComponent
import com.wingedsheep.engine.state.components.battlefield.TappedComponent
import com.wingedsheep.engine.state.components.combat.AttackersDeclaredThisCombatComponent
import com.wingedsheep.engine.state.components.combat.AttackingComponent
import com.wingedsheep.engine.state.components.combat.BlockersDeclaredThisCombatComponent
import com.wingedsheep.engine.state.components.combat.BlockingComponent
import com.wingedsheep.engine.state.components.identity.CardComponent
import com.wingedsheep.engine.state.components.identity.FaceDownComponent
import com.wingedsheep.engine.state.components.identity.LifeTotalComponent
import com.wingedsheep.engine.state.components.identity.OwnerComponent
import com.wingedsheep.engine.state.components.identity.TokenComponent
import com.wingedsheep.engine.state.components.player.LandDropsComponent
import com.wingedsheep.engine.state.components.player.ManaPoolComponent
import com.wingedsheep.engine.state.components.player.PlayerLostComponent
import com.wingedsheep.engine.state.components.stack.ActivatedAbilityOnStackComponent
import com.wingedsheep.engine.state.components.stack.ChosenTarget
import com.wingedsheep.engine.state.components.stack.SpellOnStackComponent
import com.wingedsheep.engine.state.components.stack.TargetsComponent
import com.wingedsheep.engine.state.components.stack.TriggeredAbilityOnStackComponent
import com.wingedsheep.sdk.core.*
import com.wingedsheep.sdk.dsl.GroupPatterns
import com.wingedsheep.sdk.dsl.HandPatterns
import com.wingedsheep.sdk.model.CardDefinition
import com.wingedsheep.sdk.model.CardScript
import com.wingedsheep.sdk.model.CharacteristicValue
import com.wingedsheep.sdk.model.CreatureStats
import com.wingedsheep.sdk.model.Deck
import com.wingedsheep.sdk.model.EntityId
import com.wingedsheep.sdk.scripting.*
import com.wingedsheep.sdk.scripting.conditions.*
import com.wingedsheep.sdk.scripting.costs.CostAtom
import com.wingedsheep.sdk.scripting.costs.PayCost
import com.wingedsheep.sdk.scripting.effects.*
import com.wingedsheep.sdk.scripting.events.CounterTypeFilter
import com.wingedsheep.sdk.scripting.events.DamageType
import com.wingedsheep.sdk.scripting.events.RecipientFilter
import com.wingedsheep.sdk.scripting.events.SpellCastPredicate
import com.wingedsheep.sdk.scripting.filters.unified.GroupFilter
import com.wingedsheep.sdk.scripting.filters.unified.TargetFilter
import com.wingedsheep.sdk.scripting.predicates.CardPredicate
import com.wingedsheep.sdk.scripting.predicates.ControllerPredicate
import com.wingedsheep.sdk.scripting.predicates.StatePredicate
import com.wingedsheep.sdk.scripting.references.Player
import com.wingedsheep.sdk.scripting.targets.*
import com.wingedsheep.sdk.scripting.values.*
import java.text.Normalizer
import java.util.IdentityHashMap
import kotlinx.serialization.json.*

const val NAME = "argentum"

/** The rules that the engine cites for what is a mana ability; it names no edition of its own. */
const val EDITION = "2026-08-07"

/** Why something was not done. */
sealed class Not(val says: String) : Exception(says, null, false, false)

/** The engine does not allow it; the game is as it was. */
class Rejected(says: String) : Not(says)

/** It cannot be asked of this engine. */
class Unsupported(says: String) : Not(says)

/** A player has to decide something that the script does not answer. */
class Asked(question: String) : Not(question)

/** Nobody gets priority where the script wants to stop. */
class NoStop(says: String) : Not(says)

/** It goes on and on. */
class Endless(says: String) : Not(says)

fun unsupported(what: String): Nothing = throw Unsupported(what)

// ------------------------------------------------------------------------------------------------ READING
// Canonical JSON: what is not there says nothing.

typealias Said = JsonObject

fun JsonElement?.saysNothing(): Boolean = when (this) {
    null, JsonNull -> true
    is JsonArray -> isEmpty()
    is JsonPrimitive -> content.isEmpty() && isString || content == "false" && !isString
    is JsonObject -> false
}

fun Said.text(key: String): String = (this[key] as? JsonPrimitive)?.takeIf { it.isString }?.content ?: ""
fun Said.number(key: String): Int? = (this[key] as? JsonPrimitive)?.takeIf { !it.isString }?.content?.toIntOrNull()
fun Said.flag(key: String): Boolean = truth(key) ?: false
fun Said.truth(key: String): Boolean? = (this[key] as? JsonPrimitive)?.takeIf { !it.isString }?.content?.toBooleanStrictOrNull()
fun Said.list(key: String): List<JsonElement> = (this[key] as? JsonArray) ?: emptyList()
fun Said.records(key: String): List<Said> = list(key).filterIsInstance<JsonObject>()
fun Said.texts(key: String): List<String> = list(key).mapNotNull { (it as? JsonPrimitive)?.takeIf { one -> one.isString }?.content }
fun Said.record(key: String): Said? = this[key] as? JsonObject
fun Said.who(key: String): String = record(key)?.text("who") ?: ""
val NOTHING = JsonObject(emptyMap())

/** Refuse a record that says something under another key than these. */
fun Said.only(what: String, vararg keys: String) {
    for ((key, value) in this) if (key !in keys && !value.saysNothing()) unsupported("$what: $key")
}

/** Whether a record says something under these keys alone. */
fun Said.saysOnly(vararg keys: String): Boolean = all { (key, value) -> key in keys || value.saysNothing() }

fun symbols(text: String): List<String> = text.split('{', '}').filter { it.isNotEmpty() }

// ---------------------------------------------------------------------------------------------- THE CARDS
// A definition becomes a CardDefinition of the engine, by its constructors, in the forms that the engine's own cards
// have for the same words. Nothing goes through rules text or JSON, so nothing is dropped on the way.

val IRREGULAR = mapOf(
    "Dwarf" to "Dwarves", "Elf" to "Elves", "Fungus" to "Fungi", "Hero" to "Heroes", "Mouse" to "Mice", "Ox" to "Oxen",
    "Werewolf" to "Werewolves", "Wolf" to "Wolves", "Eldrazi" to "Eldrazi", "Fish" to "Fish", "Merfolk" to "Merfolk",
    "Moonfolk" to "Moonfolk", "Samurai" to "Samurai", "Sheep" to "Sheep", "Treefolk" to "Treefolk",
)
val COLORS = mapOf("white" to Color.WHITE, "blue" to Color.BLUE, "black" to Color.BLACK, "red" to Color.RED, "green" to Color.GREEN)

fun color(word: String): Color = COLORS[word] ?: unsupported("the color $word here")

fun cost(text: String): ManaCost = try {
    ManaCost.parse(text)
} catch (error: IllegalArgumentException) {
    unsupported("the mana cost $text")
}

fun cardType(word: String): CardType =
    CardType.entries.find { it.displayName == word } ?: unsupported("the card type $word")

fun supertype(word: String): Supertype = Supertype.fromString(word) ?: unsupported("the supertype $word")

/** The keywords that the engine does something about by themselves; it knows more words than that. */
val KEYWORDS: Map<String, Keyword> = listOf(
    Keyword.FLYING, Keyword.FIRST_STRIKE, Keyword.DOUBLE_STRIKE, Keyword.TRAMPLE, Keyword.DEATHTOUCH, Keyword.LIFELINK,
    Keyword.VIGILANCE, Keyword.HASTE, Keyword.REACH, Keyword.DEFENDER, Keyword.MENACE, Keyword.INDESTRUCTIBLE,
    Keyword.HEXPROOF, Keyword.SHROUD, Keyword.FLASH, Keyword.FEAR, Keyword.SHADOW, Keyword.HORSEMANSHIP,
    Keyword.CHANGELING, Keyword.DEVOID, Keyword.STORM, Keyword.WITHER, Keyword.CONVOKE, Keyword.DELVE, Keyword.PERSIST,
    Keyword.UNDYING, Keyword.BANDING, Keyword.REBOUND,
).associateBy { it.name.lowercase().replace('_', ' ') }

val LANDWALK = mapOf(
    "Plains" to Keyword.PLAINSWALK, "Island" to Keyword.ISLANDWALK, "Swamp" to Keyword.SWAMPWALK,
    "Mountain" to Keyword.MOUNTAINWALK, "Forest" to Keyword.FORESTWALK,
)

/** Keywords of the engine that say little without their number, cost or quality. */
val WITH_MORE: Set<String> = setOf(
    "ABSORB", "AFFINITY", "AFFLICT", "AMPLIFY", "ANNIHILATOR", "BUSHIDO", "CASUALTY", "CLEAVE", "CRAFT", "CREW", "DEVOUR", "DISTURB", "EMBALM", "EMERGE",
    "EVOKE", "FABRICATE", "FADING", "FIREBENDING", "FLASHBACK", "FORETELL", "HARMONIZE", "HIDEAWAY", "IMPENDING", "MADNESS", "MAYHEM", "MIRACLE", "MOBILIZE",
    "MODULAR", "NINJUTSU", "OFFSPRING", "PLOT", "PROTECTION", "RAMPAGE", "RENOWN", "SADDLE", "SNEAK", "SPLICE", "SUSPEND", "TEAMWORK", "TOXIC", "TRIBUTE",
    "VANISHING", "WARD", "WEB_SLINGING",
)

/** Ability words and the like, which the engine has among its keywords. */
val ABILITY_WORDS: Set<String> = setOf("EERIE", "FATEFUL_BITE", "FLURRY", "MAX_SPEED", "RENEW", "VIVID")

/** A keyword that needs no more words. */
fun simpleKeyword(word: String): Keyword = KEYWORDS[word] ?: unsupported("the keyword $word")

/** Cards made before, by their definitions. */
class Cards {
    private val made = HashMap<Said, Any>()
    private val own = HashSet<Said>()

    /** Those that are the engine's own. */
    val named = HashSet<String>()

    /** What a definition says. A real card of which that cannot be made is the engine's own card of that name, if it has one. */
    fun made(card: Said): CardDefinition {
        val definition = card.record("definition") ?: NOTHING
        val name = definition.text("name")
        val found = made.getOrPut(definition) {
            try {
                Maker(definition).card()
            } catch (not: Unsupported) {
                val theirs = if (card.flag("real")) Own.card(name) else null
                try {
                    theirs?.let { Own.called(it, definition) }?.also { named.add(name); own.add(definition) } ?: Unsupported("${not.says} ($name)")
                } catch (untold: Unsupported) {
                    Unsupported("${not.says}, and ${untold.says} ($name)")
                }
            }
        }
        if (found is Unsupported) throw found
        if (definition in own) World.printed[name] = definition else World.printed.remove(name)
        return found as CardDefinition
    }
}

/** The engine's own cards, where its card sets are on the class path. Each is a value in a file that is called after it. */
object Own {
    private const val PACKAGE = "com.wingedsheep.mtg.sets.definitions"
    private val PLACE = Regex("""definitions/(\w+)/cards/(\w+)Kt\.class$""")

    /** The classes of such files, by the letters and digits of the card's name. */
    private val holders: Map<String, List<String>> by lazy {
        ClassLoader.getSystemResources(PACKAGE.replace('.', '/')).toList().flatMap(::files).mapNotNull { PLACE.find(it)?.groupValues }
            .sortedBy { it[0] }.groupBy({ it[2].lowercase() }, { "$PACKAGE.${it[1]}.cards.${it[2]}Kt" })
    }

    val there: Boolean get() = holders.isNotEmpty()

    private fun files(place: java.net.URL): List<String> = when (val opened = place.openConnection()) {
        is java.net.JarURLConnection -> opened.jarFile.entries().toList().map { it.name }
        else -> java.io.File(place.toURI()).walk().map { it.path.replace(java.io.File.separatorChar, '/') }.toList()
    }

    /** The tokens that cards create by name. The engine looks for their definitions among the cards. */
    val tokens: List<CardDefinition> by lazy {
        try {
            val kind = Class.forName("com.wingedsheep.mtg.sets.tokens.PredefinedTokens")
            (kind.getMethod("getAllTokens").invoke(kind.getField("INSTANCE").get(null)) as List<*>).map { it as CardDefinition }
        } catch (missing: ClassNotFoundException) {
            emptyList()
        }
    }

    fun card(name: String): CardDefinition? = holders[letters(name)].orEmpty()
        .flatMap { Class.forName(it).methods.toList() }.filter { it.parameterCount == 0 && it.returnType == CardDefinition::class.java }
        .map { it.invoke(null) as CardDefinition }.find { it.name == name }

    /** How the engine's authors name a file: without accents, spaces and punctuation. */
    private fun letters(name: String) = Normalizer.normalize(name, Normalizer.Form.NFD).lowercase().filter(Char::isLetterOrDigit)

    /** The card with its abilities called what the scenarios call them, one after the other as they are printed. */
    fun called(card: CardDefinition, definition: Said): CardDefinition {
        val abilities = definition.records("abilities")
        val activated = abilities.mapNotNull { if (it.text("is") == "activated") it.text("name") else it.text("keyword").takeIf { word -> word == "equip" } }
        val triggered = abilities.filter { it.text("is") == "triggered" }.map { it.text("name") }
        val script = card.script
        if (activated.size != script.activatedAbilities.size || triggered.size != script.triggeredAbilities.size) {
            unsupported("the abilities of the engine's own card are not told apart")
        }
        script.activatedAbilities.zip(activated) { ability, word -> Maker.names[ability.id] = word }
        Maker.words.addAll(triggered)
        return card.copy(script = script.copy(triggeredAbilities = script.triggeredAbilities.zip(triggered) { ability, word -> ability.copy(descriptionOverride = word) }))
    }
}

/** One definition on its way to a card. */
class Maker(private val definition: Said) {
    private val name = definition.text("name")
    private var abilities = 0
    private val keywords = LinkedHashSet<Keyword>()
    private val keywordAbilities = ArrayList<KeywordAbility>()
    private val statics = ArrayList<StaticAbility>()
    private val triggers = ArrayList<TriggeredAbility>()
    private val stateTriggers = ArrayList<StateTriggeredAbility>()
    private val activated = ArrayList<ActivatedAbility>()
    private val replacements = ArrayList<ReplacementEffect>()
    private val additional = ArrayList<AdditionalCost>()
    private var flags = LinkedHashSet<AbilityFlag>()
    private var spellEffect: Effect? = null
    private var spellTargets: List<TargetRequirement> = emptyList()
    private var kicked: Effect? = null
    private var auraTarget: TargetRequirement? = null
    private var equipCost: ManaCost? = null
    private var indicator: Set<Color>? = null
    private var cantBeCountered = false
    private var exilesItself = false

    /** Which word it replaces by which, where that is not chosen. */
    private var replacedWords: List<String>? = null

    /** Whether the words that it replaces are those of colors, where they are of one kind only. */
    private var wordsOfColors: Boolean? = null
    private var isColorless = false
    private var asksHowItEnters = false
    private var power: CharacteristicValue? = null
    private var toughness: CharacteristicValue? = null

    /** "Of the chosen color", which the engine says otherwise of the groups that its layers look at. */
    private var ofChosenColor: CardPredicate = CardPredicate.SharesChosenColorWithSource

    /** Whether it counts what it has exiled, so that the engine has to keep it in mind. */
    private val remembers = "\"put_by\":{" in definition.toString()

    /** Whether a basic land type is chosen as it enters. */
    private val choosesBasic = "\"of\":\"basic land type\"" in definition.toString()

    /** The condition of the static ability that is being made. */
    private var whenever: Condition? = null

    /** An id that is the same in every run, and another one for another card of that name. */
    private fun id() = AbilityId("$name ${++abilities} of ${definition.hashCode()}")

    fun card(): CardDefinition {
        definition.only(
            "card", "name", "types", "cost", "supertypes", "subtypes", "colors", "power", "toughness", "loyalty", "abilities",
        )
        power = size("power")
        toughness = size("toughness")
        if (definition["colors"] is JsonArray) indicator = definition.texts("colors").map(::color).toSet()
        for (ability in definition.records("abilities")) ability(ability)
        val types = definition.texts("types").map(::cardType).toSet()
        val mana = (definition["cost"] as? JsonPrimitive)?.takeIf { it.isString }?.content
        val printed = mana?.let(::cost) ?: ManaCost.ZERO
        val stated = indicator
        if (stated != null && (printed.colors + stated) != stated) unsupported("a card that is not of the colors in its cost")
        val stats = if (power != null || toughness != null || CardType.CREATURE in types) {
            CreatureStats(power ?: CharacteristicValue.Fixed(0), toughness ?: CharacteristicValue.Fixed(0))
        } else {
            null
        }
        val card = CardDefinition(
            name = name, manaCost = printed, hasNoManaCost = mana == null,
            // The engine asks whether a card has abilities by looking whether it has any text.
            oracleText = definition.records("abilities").joinToString("\n") { it.text("keyword").ifEmpty { it.text("is") } },
            typeLine = TypeLine(
                supertypes = definition.texts("supertypes").map(::supertype).toSet(), cardTypes = types,
                subtypes = definition.texts("subtypes").map { Subtype(it) }.toSet(),
            ),
            creatureStats = stats, keywords = keywords, flags = flags, keywordAbilities = keywordAbilities,
            equipCost = equipCost, startingLoyalty = definition.number("loyalty"),
            colorIndicator = if (stated != null && stated.isEmpty()) null else stated,
            script = CardScript(
                spellEffect = spellEffect, targetRequirements = spellTargets, triggeredAbilities = triggers,
                stateTriggeredAbilities = stateTriggers, activatedAbilities = activated, staticAbilities = statics,
                replacementEffects = replacements, additionalCosts = additional, auraTarget = auraTarget,
                cantBeCountered = cantBeCountered, selfExileOnResolve = exilesItself,
                kickerSpellEffect = kicked, kickerTargetRequirements = if (kicked != null) spellTargets else emptyList(),
            ),
        )
        replacedWords?.let { replaced[card] = it }
        wordsOfColors?.let { colorWords[card] = it }
        if (isColorless) colorless[card] = true
        if (asksHowItEnters) askers[card] = true
        return card
    }

    private fun size(key: String): CharacteristicValue? {
        val said = definition[key] as? JsonPrimitive ?: return null
        if (said is JsonNull) return null
        val n = said.content.toIntOrNull()
        if (n == null) return CharacteristicValue.Dynamic(DynamicAmount.Fixed(0))
        if (n < 0) unsupported("a printed $key below zero")
        return CharacteristicValue.Fixed(n)
    }

    private val isAura get() = "Aura" in definition.texts("subtypes")

    private fun ability(said: Said) {
        when (said.text("is")) {
            "keyword" -> keyword(said)
            "static" -> static(said)
            "defines" -> defines(said)
            "activated" -> activated.add(activated(said))
            "triggered" -> triggered(said)
            "spell" -> spell(said)
            "as_enters" -> asEnters(said)
            else -> unsupported("ability ${said.text("is")}")
        }
    }

    private fun keyword(said: Said) {
        said.only("keyword", "is", "keyword", "mana", "n", "what")
        val word = said.text("keyword")
        val mana = said.text("mana").takeIf { it.isNotEmpty() }
        val what = said.record("what")
        if (said.number("n") != null) unsupported("$word of that kind")
        when {
            word == "enchant" && auraTarget != null -> unsupported("two enchant abilities")
            word == "enchant" && what != null -> auraTarget = TargetObject(filter = targetFilter(what), id = "host")
            word == "equip" && mana != null -> {
                equipCost = cost(mana)
                activated.add(ActivatedAbility.equip(cost(mana), id = id()))
                names[activated.last().id] = "equip"
            }
            word == "protection" && what != null -> {
                what.only("protection from", "color", "type", "subtype", "supertype")
                val colors = what.texts("color")
                val scope = when {
                    colors.size == 1 && what.saysOnly("color") -> ProtectionScope.Color(color(colors[0]))
                    what.texts("type").size == 1 && what.saysOnly("type") -> ProtectionScope.CardType(what.texts("type")[0])
                    what.texts("subtype").size == 1 && what.saysOnly("subtype") -> ProtectionScope.Subtype(what.texts("subtype")[0])
                    what.texts("supertype").size == 1 && what.saysOnly("supertype") -> ProtectionScope.Supertype(what.texts("supertype")[0])
                    else -> unsupported("protection from such things")
                }
                keywordAbilities.add(KeywordAbility.Protection(scope))
            }
            word == "landwalk" && what != null -> keywords.add(landwalk(what))
            word == "affinity" && what != null && what.texts("type").size == 1 && what.saysOnly("type") ->
                keywordAbilities.add(KeywordAbility.Affinity(cardType(what.texts("type")[0])))
            word == "flashback" && mana != null && what == null -> keywordAbilities.add(KeywordAbility.Flashback(cost(mana)))
            word == "cycling" && mana != null && what == null -> keywordAbilities.add(KeywordAbility.Cycling(cost(mana)))
            word == "morph" && mana != null && what == null -> keywordAbilities.add(KeywordAbility.morph(mana))
            word == "splice" && mana != null && what != null && what.saysOnly("subtype") && what.texts("subtype").size == 1 ->
                keywordAbilities.add(KeywordAbility.Splice(cost(mana), Subtype(what.texts("subtype")[0])))
            word == "kicker" && mana != null && what == null -> keywordAbilities.add(KeywordAbility.kicker(mana))
            word == "evoke" && mana != null && what == null -> keywordAbilities.add(KeywordAbility.Evoke(cost(mana)))
            word == "prowess" && mana == null && what == null -> {
                keywords.add(Keyword.PROWESS)
                triggers.add(
                    TriggeredAbility(
                        id = id(), trigger = EventPattern.SpellCastEvent(spellFilter = GameObjectFilter.Noncreature, player = Player.You),
                        binding = TriggerBinding.ANY, descriptionOverride = "prowess",
                        effect = ModifyStatsEffect(DynamicAmount.Fixed(1), DynamicAmount.Fixed(1), EffectTarget.Self),
                    ),
                )
            }
            mana == null && what == null -> keywords.add(simpleKeyword(word))
            else -> unsupported("$word of that kind")
        }
    }

    // ---- what is continuous

    private fun static(said: Said) {
        said.only("static", "is", "parts", "cond", "zones")
        if (said.texts("zones") != listOf("battlefield")) unsupported("static abilities that work elsewhere than on the battlefield")
        val cond = said.record("cond")?.let { condition(it) }
        // The engine knows that only while something resolves.
        if (cond == WasKicked) unsupported("a static ability that asks whether it was kicked")
        whenever = cond
        for (part in said.records("parts")) {
            val (layered, rules) = part(part)
            // What the engine does not turn into effects of layers it looks for by itself, and not within others.
            val (lasting, others) = (layered + rules).partition { World.effects(it) > 0 }
            if (layered.any { it in others && it !is GrantActivatedAbility && it !is GrantTriggeredAbility }) {
                unsupported("a static ability of which the engine makes no effect")
            }
            if (cond != null && others.isNotEmpty()) unsupported("a rule that holds under a condition")
            // One printed ability is one effect, whatever it does: the engine's composite.
            val effects = if (lasting.size > 1) listOf(CompositeStaticAbility(lasting)) else lasting
            effects.forEach { statics.add(if (cond == null) it else ConditionalStaticAbility(it, cond)) }
            statics.addAll(others)
        }
    }

    /** One part of a static ability: the static abilities of the engine that work in layers, and the others. */
    private fun part(part: Said): Pair<List<StaticAbility>, List<StaticAbility>> {
        part.only("part", "affects", "does")
        val who = part.record("affects") ?: NOTHING
        val layered = ArrayList<StaticAbility>()
        val rules = ArrayList<StaticAbility>()
        for (operation in part.records("does")) {
            if (!rule(operation, who, rules)) layered.addAll(operation(operation, group(who)))
        }
        return layered to rules
    }

    /** Whom a continuous effect affects. */
    private fun group(who: Said): GroupFilter = when (who.text("who")) {
        "this" -> GroupFilter.source()
        "attached" -> GroupFilter.attachedCreature()
        "all" -> {
            if (who.texts("zones") != listOf("battlefield")) unsupported("a continuous effect on things in ${who.texts("zones")}")
            val other = who.who("other_than")
            if (other !in listOf("", "this")) unsupported("other than $other")
            // The engine's own cards say "of the chosen type" beside the filter of a group.
            val chosen = "chosen type" in who.texts("subtype")
            val plain = if (chosen) JsonObject(who + ("subtype" to JsonArray(who.list("subtype").filter { it != JsonPrimitive("chosen type") }))) else who
            if ("chosen type" in plain.toString()) unsupported("a continuous effect on what is not of a chosen type")
            ofChosenColor = CardPredicate.HasChosenColor
            val base = filter(plain, GameObjectFilter.Permanent)
            ofChosenColor = CardPredicate.SharesChosenColorWithSource
            GroupFilter(
                base, excludeSelf = other == "this", chosenSubtypeKey = if (chosen) "chosenCreatureType" else null,
            )
        }
        else -> unsupported("a continuous effect on ${who.text("who")}")
    }

    /** Whether a group says itself that it is of lands, or of one thing by its name. */
    private fun lands(group: GroupFilter): Boolean =
        group == GroupFilter.source() || group.baseFilter.cardPredicates.any {
            it == CardPredicate.IsLand || it == CardPredicate.IsBasicLand || it is CardPredicate.NameEquals || it is CardPredicate.HasSubtype && it.subtype.value in LANDWALK
        }

    /** An operation that changes what something is, as static abilities of the engine. */
    private fun operation(said: Said, group: GroupFilter): List<StaticAbility> = when (said.text("op")) {
        "modify" -> {
            said.only("modify", "op", "power", "toughness")
            val (p, t) = (said.number("power") ?: 0.takeIf { said["power"].saysNothing() }) to
                (said.number("toughness") ?: 0.takeIf { said["toughness"].saysNothing() })
            if (p != null && t != null) {
                listOf(ModifyStats(p, t, group))
            } else {
                listOf(GrantDynamicStatsEffect(group, quantity(said["power"]), quantity(said["toughness"])))
            }
        }
        "base" -> {
            said.only("base", "op", "power", "toughness")
            val (p, t) = said.number("power") to said.number("toughness")
            when {
                p != null && t != null -> listOf(SetBasePowerToughnessStatic(p, t, group))
                t != null && said["power"].saysNothing() -> listOf(SetBaseToughnessForCreatureGroup(t, group))
                said["power"].saysNothing() || said["toughness"].saysNothing() -> unsupported("a static ability that sets one of power and toughness")
                else -> listOf(SetBasePowerToughnessDynamicStatic(quantity(said["power"]), quantity(said["toughness"]), group))
            }
        }
        "lose_all_abilities" -> {
            said.only("lose all abilities", "op")
            listOf(LoseAllAbilities(group))
        }
        "set_colors" -> when (said.texts("colors")) {
            listOf("chosen color") -> unsupported("a static ability that sets the chosen color")
            else -> listOf(TransformPermanent(setColors = said.texts("colors").map(::color).toSet(), filter = group))
        }
        "add_colors" -> said.texts("colors").map {
            if (it == "chosen color") GrantChosenColor(group) else GrantColor(color(it), group)
        }
        "add_types" -> {
            said.only("add types", "op", "types", "subtypes", "supertypes")
            said.texts("types").map { GrantCardType(cardType(it).name, group) } +
                said.texts("subtypes").map { if (it == "chosen type") GrantChosenSubtype(group) else GrantSubtype(it, group) } +
                said.texts("supertypes").map { GrantSupertype(supertype(it).name, group) }
        }
        "lose_types" -> {
            said.only("lose types", "op", "types")
            said.texts("types").map { RemoveCardType(cardType(it).name, group) }
        }
        "set_types" -> {
            said.only("set types", "op", "types", "subtypes")
            listOf(
                TransformPermanent(
                    setCardTypes = said.texts("types").map { cardType(it).name }.toSet(),
                    setSubtypes = said.texts("subtypes").toSet(), filter = group,
                ),
            )
        }
        "basic_land_type" -> {
            val types = said.texts("subtypes")
            val attached = group == GroupFilter.attachedCreature()
            when {
                types == listOf("chosen type") && attached -> listOf(SetEnchantedLandTypeFromChosen)
                "chosen type" in types -> unsupported("a chosen basic land type of several lands")
                types.size == 1 && attached -> listOf(SetEnchantedLandType(types[0]))
                !lands(group) -> unsupported("a basic land type of what may be no land")
                else -> listOf(SetLandTypesForGroup(group, types.toSet()))
            }
        }
        "set_creature_types" -> {
            val types = said.texts("subtypes")
            if ("chosen type" in types || types.isEmpty()) unsupported("a static ability that sets such creature types")
            listOf(TransformPermanent(setSubtypes = types.toSet(), filter = group))
        }
        "every_type" -> when (said.text("of")) {
            "creature" -> listOf(IsAllCreatureTypes(group))
            else -> listOf(GrantAdditionalTypesToGroup(group, addSubtypes = LANDWALK.keys.toList()))
        }
        "gain" -> said.records("abilities").map { gained(it, group) }
        "lose" -> said.texts("keywords").map { RemoveKeywordStatic(simpleKeyword(it), group) }
        "control" -> {
            if (said.who("player") != "you" || group != GroupFilter.attachedCreature()) unsupported("a static ability that gives control of such things")
            listOf(ControlEnchantedPermanent)
        }
        "set_name" -> listOf(SetName(said.text("name"), group))
        else -> unsupported("the operation ${said.text("op")} in a static ability")
    }

    private fun gained(said: Said, group: GroupFilter): StaticAbility = when (said.text("is")) {
        "keyword" -> {
            val what = said.record("what")
            when {
                said.text("keyword") == "protection" && what != null -> when {
                    what.texts("color") == listOf("chosen color") -> GrantProtectionFromChosenColorToGroup(group)
                    what.texts("color").size == 1 && what.saysOnly("color") -> GrantProtection(color(what.texts("color")[0]), group)
                    what.texts("type").size == 1 && what.saysOnly("type") -> GrantProtectionFromCardType(cardType(what.texts("type")[0]), group)
                    else -> unsupported("gaining protection from such things")
                }
                said.text("keyword") == "landwalk" && what != null -> GrantKeyword(landwalk(what), group)
                !said.saysOnly("is", "keyword") -> unsupported("gaining ${said.text("keyword")} of that kind")
                else -> GrantKeyword(grantable(said.text("keyword")), group)
            }
        }
        "activated" -> GrantActivatedAbility(activated(said), group)
        "triggered" -> GrantTriggeredAbility(trigger(said), group)
        else -> unsupported("gaining an ability that is ${said.text("is")}")
    }

    /** An operation that makes a rule, as static abilities or replacement effects; false if it is none. */
    private fun rule(said: Said, who: Said, made: MutableList<StaticAbility>): Boolean {
        val whom = who.text("who")
        fun base(): GameObjectFilter {
            if (whom != "all" || !who["other_than"].saysNothing()) unsupported("the rule ${said.text("op")} on $whom")
            return filter(who, GameObjectFilter.Any)
        }
        when (said.text("op")) {
            "cannot" -> {
                said.only("cannot", "op", "do", "what", "after", "but")
                if (!said["what"].saysNothing() && said.texts("do").any { it in listOf("attack", "block", "be blocked", "untap") }) unsupported("cannot ${said.texts("do")[0]}, but only some")
                val spared = said.texts("but")
                if (spared.isNotEmpty() && (spared != listOf("mana abilities") || said.texts("do") != listOf("activate abilities"))) unsupported("cannot ${said.texts("do")[0]} but ${spared[0]}")
                for (deed in said.texts("do")) made.add(
                    when (deed) {
                        "attack" -> CantAttack(group(who))
                        "block" -> CantBlock(group(who))
                        "be blocked" -> CantBeBlocked(group(who))
                        "untap" -> GrantKeyword(AbilityFlag.DOESNT_UNTAP.name, group(who))
                        "be countered" -> if (whom == "this") {
                            cantBeCountered = true
                            continue
                        } else {
                            GrantCantBeCountered(base())
                        }
                        "activate abilities" -> PreventActivatedAbilities(
                            if (whom == "attached") unsupported("abilities of what it is attached to cannot be activated") else base(),
                            nonManaAbilitiesOnly = spared.isNotEmpty(),
                        )
                        "cast" -> {
                            val after = said.number("after")
                            when {
                                after != null && said["what"].saysNothing() && whom in listOf("you", "everyone") ->
                                    RestrictSpellsCastPerTurn(after, eachPlayer = whom == "everyone")
                                after == null -> PlayersCantCastSpells(
                                    player(who), said.record("what")?.let { filter(it, GameObjectFilter.Any) } ?: GameObjectFilter.Any,
                                )
                                else -> unsupported("such a limit on casting")
                            }
                        }
                        "gain life" -> {
                            replacements.add(PreventLifeGain(EventPattern.LifeGainEvent(player(who))))
                            continue
                        }
                        else -> unsupported("cannot $deed")
                    },
                )
            }
            "must" -> {
                said.only("must", "op", "do")
                made.add(
                    when (said.text("do")) {
                        "attack" -> MustAttack(group(who))
                        "block" -> MustBlock(group(who))
                        "be blocked" -> MustBeBlocked(filter = group(who))
                        else -> unsupported("must ${said.text("do")}")
                    },
                )
            }
            "hand_size" -> made.add(
                when {
                    whom != "you" -> unsupported("a hand size of $whom")
                    said.text("how") == "none" -> NoMaximumHandSize
                    said.text("how") == "set" -> SetMaximumHandSize(Player.You, quantity(said["n"]))
                    else -> unsupported("such a hand size")
                },
            )
            "land_drops" -> if (whom == "you") made.add(GrantAdditionalLandDrop(said.number("plus") ?: 1)) else unsupported("land drops of $whom")
            "gain" -> {
                if (whom !in listOf("you", "opponents", "everyone")) return false
                val words = said.records("abilities").map { if (it.saysOnly("is", "keyword")) it.text("keyword") else "" }
                if (whom != "you") unsupported("$whom gaining ${words.joinToString()}")
                for (word in words) made.add(
                    when (word) {
                        "shroud" -> GrantShroudToController
                        "hexproof" -> GrantHexproofToController
                        else -> unsupported("a player gaining that")
                    },
                )
            }
            "costs" -> {
                if (whom != "all" || who.texts("zones") != listOf("stack")) unsupported("costs of $whom")
                val spells = JsonObject(who - "zones" - "controller" - "who")
                val target = when (who.who("controller")) {
                    "" -> SpellCostTarget.AnyCaster(filter(spells, GameObjectFilter.Any))
                    "you" -> SpellCostTarget.YouCast(filter(spells, GameObjectFilter.Any))
                    else -> unsupported("costs of others' spells")
                }
                made.add(ModifySpellCost(target, costChange(said)))
            }
            "as_though_flash" -> {
                said.only("as though it had flash", "op")
                if (whom != "all") unsupported("flash for $whom")
                val cards = JsonObject(who - "zones" - "controller" - "who" - "owner" - "of")
                made.add(GrantFlashToSpellType(filter(cards, GameObjectFilter.Any), controllerOnly = who.who("controller") == "you" || who.who("owner") == "you" || who.who("of") == "you"))
            }
            "enters_tapped" -> when {
                whom == "this" -> replacements.add(EntersTapped(unlessCondition = whenever?.let { (it as? NotCondition)?.condition ?: NotCondition(it) }))
                whenever != null -> unsupported("a rule that holds under a condition")
                else -> replacements.add(PermanentsEnterTapped(EventPattern.ZoneChangeEvent(filter = base(), to = Zone.BATTLEFIELD)))
            }
            "alternative_cost" -> {
                said.only("alternative cost", "op", "costs", "name")
                if (said.records("costs").isNotEmpty()) unsupported("an alternative cost for others that is not nothing")
                if (whom != "all" || who.texts("zones") != listOf("hand") || who.who("of") != "you") unsupported("an alternative cost for such cards")
                made.add(MayCastWithoutPayingManaCost(controllerOnly = true, spellFilter = filter(JsonObject(who - "of" - "zones" - "who"), GameObjectFilter.Any)))
                free.add(said.text("name"))
            }
            "may_play" -> {
                said.only("may play", "op", "what")
                // A cost of nothing is a cost.
                if (said["cost"] is JsonArray) unsupported("playing such cards for another cost")
                val what = said.record("what") ?: NOTHING
                if (whom != "you" || what.texts("zones") != listOf("graveyard") || what.who("of") != "you") unsupported("playing such cards from elsewhere")
                val cards = JsonObject(what - "of" - "zones" - "who")
                when {
                    what.texts("type") == listOf("Land") && what.saysOnly("who", "zones", "of", "type") -> made.add(MayPlayLandsFromGraveyard)
                    what.texts("type").isNotEmpty() && "Land" !in what.texts("type") -> made.add(MayCastFromGraveyard(filter(cards, GameObjectFilter.Any)))
                    else -> unsupported("playing cards of every kind from elsewhere")
                }
            }
            "triggers_again" -> {
                said.only("triggers again", "op", "on")
                val on = said.record("on") ?: NOTHING
                val things = on.record("who") ?: NOTHING
                val whose = who.who("controller") == "you" && who.texts("zones") == listOf("battlefield") && who.saysOnly("who", "zones", "controller")
                if (whom != "all" || !whose || on.text("on") != "enters" || things.text("who") != "all") unsupported("abilities that trigger again on such events")
                if (!things["other_than"].saysNothing() || things.who("controller") !in listOf("", "you")) unsupported("abilities that trigger again on such events")
                made.add(
                    AdditionalETBOrLTBTriggers(
                        filter(JsonObject(things - "controller"), GameObjectFilter.Any), mustBeYouControl = things.who("controller") == "you",
                    ),
                )
            }
            "any_color_mana", "only_as_sorcery", "mana_becomes", "prevent_damage", "skip_step", "text_of" -> unsupported("the rule ${said.text("op")}")
            else -> return false
        }
        return true
    }

    private fun costChange(said: Said): CostModification {
        val parts = symbols(said.text("mana"))
        val n = parts.singleOrNull()?.toIntOrNull()
        val plain = said.number("times") == 1
        val more = said.text("how") == "more"
        if (said.text("how") !in listOf("more", "less")) unsupported("costs that are ${said.text("how")}")
        return when {
            plain && n != null -> if (more) CostModification.IncreaseGeneric(n) else CostModification.ReduceGeneric(n)
            plain && parts.none { it.toIntOrNull() != null } ->
                if (more) CostModification.IncreaseColored(said.text("mana")) else CostModification.ReduceColored(said.text("mana"))
            n == 1 -> CostReductionSource.Dynamic(quantity(said["times"])).let {
                if (more) CostModification.IncreaseGenericBy(it) else CostModification.ReduceGenericBy(it)
            }
            else -> unsupported("costs that change like that")
        }
    }

    /** The engine has "is colorless" as devoid only, so the keywords of such a card show nothing. */
    private fun colorless() {
        isColorless = true
        keywords.add(Keyword.DEVOID)
    }

    /** What an object says of itself. */
    private fun defines(said: Said) {
        said.only("defines", "is", "does")
        for (operation in said.records("does")) when (operation.text("op")) {
            "base" -> {
                operation["power"]?.takeIf { it !is JsonNull }?.let { power = defined(it) }
                operation["toughness"]?.takeIf { it !is JsonNull }?.let { toughness = defined(it) }
            }
            "set_colors" -> if (operation.texts("colors").isEmpty()) colorless() else indicator = operation.texts("colors").map(::color).toSet()
            "every_type" -> if (operation.text("of") == "creature") keywords.add(Keyword.CHANGELING) else unsupported("defining itself by every land type")
            else -> unsupported("defining itself by ${operation.text("op")}")
        }
    }

    private fun defined(said: JsonElement): CharacteristicValue {
        (said as? JsonPrimitive)?.content?.toIntOrNull()?.let { return CharacteristicValue.Fixed(it) }
        val sum = said as? JsonObject
        if (sum != null && sum.text("num") == "sum") {
            val numbers = sum.list("parts").filterIsInstance<JsonPrimitive>().sumOf { it.content.toInt() }
            val others = sum.records("parts")
            if (others.size == 1) return CharacteristicValue.DynamicWithOffset(quantity(others[0]), numbers)
        }
        return CharacteristicValue.Dynamic(quantity(said))
    }

    // ---- abilities that are played

    private fun activated(said: Said): ActivatedAbility {
        said.only("activated", "is", "cost", "effect", "targets", "modes_chosen", "sorcery", "once", "by", "zones", "name")
        if (said.who("by") != "you") unsupported("an ability that others may activate")
        val costs = said.records("cost").map(::abilityCost)
        val loyalty = said.records("cost").any { it.text("cost") == "loyalty" }
        val pays = said.records("cost").any { it.text("cost") in listOf("sacrifice", "exile") && it.who("what") == "this" }
        val scope = Scope(said.records("targets"), "", gone = pays)
        // Whether something is a mana ability the engine's cards say themselves; where that is plain, so do we.
        val makes = said.records("effect").count { it.text("then") == "add_mana" }
        val mana = said.records("targets").isEmpty() && !loyalty && makes > 0
        if (mana && makes < said.records("effect").size) unsupported("an ability that makes mana and does something else")
        if (!mana && "\"add_mana\"" in said.records("effect").joinToString()) unsupported("an ability that may make mana")
        val zone = when (said.texts("zones")) {
            listOf("battlefield") -> Zone.BATTLEFIELD
            listOf("graveyard") -> Zone.GRAVEYARD
            listOf("hand") -> Zone.HAND
            else -> unsupported("an ability activated in ${said.texts("zones")}")
        }
        val made = ActivatedAbility(
            id = id(),
            cost = if (costs.isEmpty()) AbilityCost.Free else costs.singleOrNull() ?: AbilityCost.Composite(costs),
            effect = scope.whole(said.records("effect")),
            targetRequirements = scope.requirements(),
            timing = when {
                said.flag("sorcery") || loyalty -> TimingRule.SorcerySpeed
                mana -> TimingRule.ManaAbility
                else -> TimingRule.InstantSpeed
            },
            restrictions = if (said.flag("once")) listOf(ActivationRestriction.OncePerTurn) else emptyList(),
            isManaAbility = mana, isPlaneswalkerAbility = loyalty, activateFromZone = zone,
        )
        names[made.id] = said.text("name")
        return made
    }

    private fun abilityCost(said: Said): AbilityCost {
        val n = said.number("n") ?: 1
        return when (said.text("cost")) {
            "mana" -> AbilityCost.Atom(CostAtom.Mana(cost(said.text("mana"))))
            "tap" -> AbilityCost.Tap
            "untap" -> AbilityCost.Untap
            "loyalty" -> AbilityCost.Loyalty(n.takeIf { said.number("n") != null } ?: 0)
            "sacrifice" -> if (said.who("what") == "this") AbilityCost.SacrificeSelf else AbilityCost.Atom(atom(said))
            "discard" -> if (said.who("what") == "this") AbilityCost.DiscardSelf else AbilityCost.Atom(atom(said))
            "exile" -> if (said.who("what") == "this") AbilityCost.ExileSelf else AbilityCost.Atom(atom(said))
            "return" -> if (said.who("what") == "this") AbilityCost.ReturnSelfToHand else AbilityCost.Atom(atom(said))
            "remove_counters" -> AbilityCost.Atom(CostAtom.RemoveCounters(said.text("kind"), DynamicAmount.Fixed(n), self = true))
            else -> AbilityCost.Atom(atom(said))
        }
    }

    /** A cost that abilities and spells have in common. */
    private fun atom(said: Said): CostAtom {
        said.only("cost", "cost", "n", "what", "zone", "name", "mana", "kind")
        val n = said.number("n") ?: 1
        val what = said.record("what")
        fun things(zone: String = ""): GameObjectFilter {
            if (what == null) return GameObjectFilter.Any
            if (!what["other_than"].saysNothing()) unsupported("a cost paid with other things")
            return filter(JsonObject(what - "controller" - "of" - "zones"), GameObjectFilter.Any)
        }
        return when (said.text("cost")) {
            "sacrifice" -> CostAtom.Sacrifice(things(), n)
            "discard" -> CostAtom.Discard(n, things())
            "life" -> CostAtom.PayLife(n)
            "mill" -> CostAtom.Mill(n)
            "return" -> CostAtom.ReturnToHand(things(), n)
            "tap_others" -> CostAtom.TapPermanents(n, things())
            // On the battlefield the engine's cards say "you control", too: its zones go by owners.
            "exile" if remembers -> unsupported("a cost that exiles what is counted")
            "exile" -> zone(said.text("zone")).let { CostAtom.ExileFrom(it, if (it == Zone.BATTLEFIELD) things().youControl() else things(), n) }
            else -> unsupported("the cost ${said.text("cost")}")
        }
    }

    private fun spell(said: Said) {
        said.only("spell", "is", "effect", "targets", "modes", "modes_chosen", "modes_most", "additional", "kicked")
        for (one in said.records("additional")) {
            // The engine pays this for abilities only.
            if (one.text("cost") == "mill") unsupported("milling as an additional cost of a spell")
            additional.add(AdditionalCost.Atom(atom(one)))
        }
        if (said.records("modes").isEmpty()) {
            val scope = Scope(said.records("targets"), "", ofSpell = true)
            if (said.records("effect").any { it.text("then") == "put" && it.who("what") == "this" }) unsupported("a spell that puts itself somewhere")
            // The engine's own cards say so of the whole spell, which goes there as it leaves the stack.
            exilesItself = said.records("effect").lastOrNull()?.let { it.text("then") == "exile" && it.who("what") == "this" } ?: false
            spellEffect = scope.whole(said.records("effect").dropLast(if (exilesItself) 1 else 0))
            spellTargets = scope.requirements()
            if (said.records("kicked").isNotEmpty()) {
                if (exilesItself) unsupported("a spell that exiles itself, with kicker")
                kicked = scope.whole(said.records("effect") + said.records("kicked"))
            }
            return
        }
        if (said.records("effect").isNotEmpty()) unsupported("modes and an effect besides")
        val modes = said.records("modes").map { mode ->
            val scope = Scope(mode.records("targets"), "", ofSpell = true)
            Mode(scope.whole(mode.records("effect")), scope.requirements(), "mode")
        }
        val least = said.number("modes_chosen") ?: 1
        spellEffect = ModalEffect(modes, chooseCount = said.number("modes_most") ?: least, minChooseCount = least)
    }

    private fun triggered(said: Said) {
        val whens = said.record("when") ?: NOTHING
        if (whens.text("on") == "state") {
            said.only("triggered", "is", "when", "effect", "zones", "name", "modes_chosen")
            val made = StateTriggeredAbility(
                id(), condition(whens.record("cond") ?: NOTHING), Scope(emptyList(), "state").whole(said.records("effect")),
                descriptionOverride = said.text("name"),
            )
            words.add(said.text("name"))
            stateTriggers.add(made)
            return
        }
        triggers.add(trigger(said))
    }

    private fun trigger(said: Said): TriggeredAbility {
        said.only("triggered", "is", "when", "effect", "targets", "modes_chosen", "cond", "zones", "name", "once")
        if (said.texts("zones") != listOf("battlefield")) unsupported("an ability that triggers elsewhere than on the battlefield")
        val (event, binding) = event(said.record("when") ?: NOTHING)
        val whens = said.record("when")!!
        val on = whens.text("on")
        val leaving = on in listOf("dies", "leaves") && whens.who("who") == "this"
        val scope = Scope(said.records("targets"), on, gone = leaving)
        val requirements = scope.requirements()
        words.add(said.text("name"))
        return TriggeredAbility(
            id = id(), trigger = event, binding = binding, effect = scope.whole(said.records("effect")),
            targetRequirement = requirements.firstOrNull(), additionalTargetRequirements = requirements.drop(1),
            interveningIf = said.record("cond")?.let { condition(it) }, effectOncePerTurn = said.flag("once"),
            descriptionOverride = said.text("name"),
        )
    }

    private fun event(said: Said): Pair<EventPattern, TriggerBinding> {
        val on = said.text("on")
        val who = said.record("who") ?: NOTHING
        /** Whose event it is: of this, of others, of all that are like that. */
        fun things(make: (GameObjectFilter) -> EventPattern): Pair<EventPattern, TriggerBinding> = if (who.text("who") == "all" && who.who("same_as") == "this") {
            // Itself in some state: "when this enters untapped".
            make(filter(JsonObject(who - "same_as"), GameObjectFilter.Any)) to TriggerBinding.SELF
        } else when (who.text("who")) {
            "this" -> make(GameObjectFilter.Any) to TriggerBinding.SELF
            "attached" -> make(GameObjectFilter.Any) to TriggerBinding.ATTACHED
            "all" -> {
                val other = who.who("other_than")
                if (other !in listOf("", "this")) unsupported("other than $other")
                // "This or another creature": the engine's own cards say "a creature", whichever it is.
                val (self, others) = who.records("any_of").partition { it.saysOnly("same_as") && it.who("same_as") == "this" }
                val whichever = if (self.isNotEmpty() && others.size == 1) {
                    JsonObject((who - "any_of") + others[0].filter { (key, said) -> !said.saysNothing() || key != "top" && said is JsonPrimitive && said != JsonNull } - "other_than")
                } else {
                    who
                }
                make(filter(whichever, GameObjectFilter.Any)) to if (other == "this") TriggerBinding.OTHER else TriggerBinding.ANY
            }
            else -> unsupported("a trigger on $on of ${who.text("who")}")
        }
        fun some(filter: GameObjectFilter) = filter.takeIf { it != GameObjectFilter.Any }
        val read = when (on) {
            "cast" -> arrayOf("what", "by", "aimed_at")
            "beginning" -> arrayOf("step", "of", "next")
            "becomes_target" -> arrayOf("who", "by")
            "deals_damage" -> arrayOf("who", "to", "combat")
            "any_of" -> arrayOf("events")
            else -> arrayOf("who")
        }
        said.only("a trigger on $on", "on", *read)
        return when (on) {
            "enters" -> things {
                // The engine does not ask of what enters whether it is tapped, so such a card can only be there from the start.
                if (it.statePredicates.any { one -> one == StatePredicate.IsTapped || one == StatePredicate.IsUntapped }) asksHowItEnters = true
                EventPattern.ZoneChangeEvent(filter = it, to = Zone.BATTLEFIELD)
            }
            "dies" -> things { EventPattern.ZoneChangeEvent(filter = it, from = Zone.BATTLEFIELD, to = Zone.GRAVEYARD) }
            "leaves" -> things { EventPattern.ZoneChangeEvent(filter = it, from = Zone.BATTLEFIELD) }
            "attacks" -> things { EventPattern.AttackEvent(some(it)) }
            "blocks" -> things { EventPattern.BlockEvent(some(it)) }
            "becomes_blocked" -> things { EventPattern.BecomesBlockedEvent(some(it)) }
            "becomes_tapped" -> things { EventPattern.TapEvent(some(it)) }
            "becomes_untapped" -> things { EventPattern.UntapEvent(some(it)) }
            "turned_up" -> if (who.text("who") == "this") EventPattern.TurnFaceUpEvent to TriggerBinding.SELF else unsupported("a trigger on others turned up")
            "becomes_target" -> when {
                said.who("by") != "everyone" -> unsupported("a trigger on becoming a target of such things")
                who.text("who") == "this" -> EventPattern.BecomesTargetEvent() to TriggerBinding.SELF
                else -> things { EventPattern.BecomesTargetEvent(targetFilter = it) }
            }
            "deals_damage" -> {
                val kind = if (said.flag("combat")) DamageType.Combat else DamageType.Any
                val to = when (said.who("to")) {
                    "" -> RecipientFilter.Any
                    "everyone" -> RecipientFilter.AnyPlayer
                    "opponents" -> RecipientFilter.Opponent
                    else -> unsupported("a trigger on damage to ${said.who("to")}")
                }
                things { EventPattern.DealsDamageEvent(damageType = kind, recipient = to, sourceFilter = some(it)) }
            }
            "beginning" -> {
                if (said.flag("next")) unsupported("a trigger on the next step")
                EventPattern.StepEvent(step(said.text("step")), player(said.record("of") ?: NOTHING)) to TriggerBinding.ANY
            }
            "cast" -> {
                val spells = said.record("what")?.let { filter(it, GameObjectFilter.Any) } ?: GameObjectFilter.Any
                val aimed = said.record("aimed_at")?.let { setOf(SpellCastPredicate.TargetsMatching(filter(it, GameObjectFilter.Any))) } ?: emptySet()
                EventPattern.SpellCastEvent(spellFilter = spells, player = player(said.record("by") ?: NOTHING), requires = aimed) to TriggerBinding.ANY
            }
            "draws" -> EventPattern.DrawEvent(player(who)) to TriggerBinding.ANY
            "gains_life" -> EventPattern.LifeGainEvent(player(who)) to TriggerBinding.ANY
            "discards" -> EventPattern.DiscardEvent(player(who)) to TriggerBinding.ANY
            "any_of" -> {
                if (said.records("events").any { it.text("on") in listOf("blocks", "becomes_blocked") }) unsupported("a trigger on blocking and on more")
                // The engine notices its own leaving by a list of events that has no such pattern; its own cards have two abilities.
                if (said.records("events").any { it.text("on") in listOf("leaves", "dies") }) unsupported("a trigger on leaving and on more")
                val events = said.records("events").map { event(it) }
                if (events.map { it.second }.distinct().size != 1) unsupported("a trigger on events of several things")
                EventPattern.AnyOf(events.map { it.first }) to events[0].second
            }
            else -> unsupported("a trigger on $on")
        }
    }

    private fun asEnters(said: Said) {
        said.only("as it enters", "is", "choose", "copy", "counters", "tapped", "may", "unless_pays")
        for (choice in said.records("choose")) {
            if (!choice["among"].saysNothing() || !choice["never"].saysNothing()) unsupported("choosing among some as it enters")
            val kind = when (choice.text("kind") to choice.text("of")) {
                "color" to "", "color" to "color" -> ChoiceType.COLOR
                "type" to "creature type" -> ChoiceType.CREATURE_TYPE
                "type" to "basic land type" -> ChoiceType.BASIC_LAND_TYPE
                else -> if (choice.text("kind") == "color") ChoiceType.COLOR else unsupported("choosing a ${choice.text("kind")} as it enters")
            }
            replacements.add(EntersWithChoice(kind))
        }
        val copy = said.record("copy")
        if (copy != null) {
            copy.only("entering as a copy", "of", "but")
            var made = EntersAsCopy(
                optional = said.flag("may"), copyFilter = filter(copy.record("of") ?: NOTHING, GameObjectFilter.Any), tappedIfCopied = said.flag("tapped"),
            )
            for (but in copy.records("but")) made = when (but.text("op")) {
                "add_types" -> {
                    but.only("a copy that adds", "op", "subtypes")
                    made.copy(additionalSubtypes = but.texts("subtypes"))
                }
                "gain" -> made.copy(
                    additionalKeywords = but.records("abilities").map {
                        if (!it.saysOnly("is", "keyword")) unsupported("a copy with another ability")
                        simpleKeyword(it.text("keyword"))
                    },
                )
                "set_name" -> made.copy(nameOverride = but.text("name"))
                "base" -> made.copy(powerOverride = but.number("power"), toughnessOverride = but.number("toughness"))
                else -> unsupported("entering as a copy with ${but.text("op")}")
            }
            replacements.add(made)
        } else if (said.flag("may")) {
            unsupported("a choice whether, as it enters")
        }
        val unless = said.records("unless_pays")
        if (unless.isNotEmpty() && (unless.size != 1 || unless[0].text("cost") != "life")) unsupported("entering tapped unless that is paid")
        if (said.flag("tapped") && copy == null || unless.isNotEmpty()) replacements.add(EntersTapped(payLifeCost = unless.firstOrNull()?.number("n")))
        for (pile in said.records("counters")) {
            val n = pile.number("n")
            val kind = counterFilter(pile.text("kind"))
            replacements.add(if (n != null) EntersWithCounters(kind, n, selfOnly = true) else EntersWithDynamicCounters(kind, quantity(pile["n"])))
        }
    }

    /** The printed targets of an ability, and the instructions that speak of them. */
    private inner class Scope(val specs: List<Said>, val event: String, val ofSpell: Boolean = false, val gone: Boolean = false) {
        /** Who discards; of anybody else the engine's pattern makes its controller. */
        fun discarding(who: EffectTarget): EffectTarget = when (who) {
            is EffectTarget.Controller, is EffectTarget.ContextTarget, is EffectTarget.BoundVariable, is EffectTarget.PlayerRef -> who
            else -> unsupported("discarding by somebody like that")
        }

        /** What the effect that is being made affects. */
        var affected: EntityReference? = null

        /** What was given a name by an instruction. */
        private val named = HashSet<String>()
        private var many: String? = specs.firstOrNull { (it.number("most") ?: 99) > 1 }?.text("name")

        /** A number in an instruction, where "it" is what made the ability trigger. */
        private fun amount(said: JsonElement?): DynamicAmount = quantity(said, this)

        fun requirements(): List<TargetRequirement> = specs.map { spec ->
            spec.only("target", "what", "players", "any_target", "name", "least", "most", "by", "stack")
            if (spec.who("by") != "you") unsupported("targets that somebody else chooses")
            val id = spec.text("name")
            val most = spec.number("most") ?: unsupported("any number of targets")
            val least = spec.number("least") ?: unsupported("any number of targets")
            val optional = least == 0
            val what = spec.record("what")
            val players = spec.who("players")
            when {
                spec.flag("any_target") && (what != null || players.isNotEmpty() || spec.texts("stack").isNotEmpty()) -> unsupported("such a target")
                spec.flag("any_target") -> AnyTarget(most, maxOf(least, if (optional) most else 1), optional, id)
                spec.texts("stack").isNotEmpty() -> {
                    if (what != null || players.isNotEmpty()) unsupported("a target among spells and abilities")
                    val kinds = spec.texts("stack").toSet()
                    val base = when {
                        kinds == setOf("activated", "triggered") -> CardPredicate.IsActivatedOrTriggeredAbility
                        kinds == setOf("triggered") -> CardPredicate.IsTriggeredAbility
                        kinds == setOf("activated") -> CardPredicate.IsActivatedAbility
                        else -> unsupported("a target among ${kinds.joinToString()}")
                    }
                    TargetObject(most, maxOf(1, least), optional, filter = TargetFilter(GameObjectFilter(listOf(base)), Zone.STACK), id = id)
                }
                what == null && players == "everyone" -> TargetPlayer(most, optional, id = id)
                what == null && players == "opponents" -> TargetOpponent(most, optional, id = id)
                what != null && players == "everyone" && what.texts("zones") == listOf("battlefield") ->
                    TargetPermanentOrPlayer(most, optional, id, targetFilter(what))
                what != null && players == "" && what.texts("zones").toSet() == setOf("battlefield", "stack") && most == 1 && least == 1 -> {
                    val permanents = filter(JsonObject(what - "zones"), GameObjectFilter.Any)
                    TargetSpellOrPermanent(id = id, permanentFilter = permanents.takeIf { it != GameObjectFilter.Any })
                }
                what != null && players == "" -> TargetObject(most, maxOf(1, least), optional, filter = targetFilter(what), id = id)
                else -> unsupported("such a target")
            }
        }

        fun whole(instructions: List<Said>): Effect {
            if (instructions.isEmpty()) return CompositeEffect(emptyList())
            val made = all(instructions)
            val one = made.singleOrNull() ?: CompositeEffect(made)
            val repeated = many ?: return one
            if (one is DividedDamageEffect || made.any { it is DividedDamageEffect }) return one
            if (specs.size > 1) unsupported("several targets, and several of one kind")
            if (instructions.any { !speaksOf(it, repeated) }) unsupported("several targets, and something else")
            return ForEachTargetEffect(made)
        }

        /** One instruction after the other. What is chosen first is chosen for those that follow. */
        private fun all(instructions: List<Said>): List<Effect> {
            val choice = instructions.indexOfFirst { it.text("then") == "choose" }
            if (choice < 0) return instructions.flatMap(::effects)
            val said = instructions[choice]
            said.only("choose", "then", "kind", "who", "least", "most", "name", "of", "never")
            if (said.who("who") != "you") unsupported("${said.who("who")} choosing a ${said.text("kind")}")
            val rest = instructions.drop(choice + 1)
            val chosen = when (said.text("kind") to said.text("of")) {
                "color" to "" -> {
                    if ((said.number("most") ?: 1) != 1) unsupported("choosing several colors")
                    // What is chosen as it resolves is not kept with the source.
                    val before = ofChosenColor
                    ofChosenColor = CardPredicate.HasChosenColor
                    val then = all(rest)
                    ofChosenColor = before
                    listOf(ChooseColorThenEffect(then.singleOrNull() ?: CompositeEffect(then)))
                }
                "type" to "creature type" -> {
                    if (rest.any { "chosen type" in (if (it.text("then") == "effect") it["affects"] else it).toString() }) unsupported("a one-shot effect on all of a type that is chosen for it")
                    never = said.texts("never")
                    all(rest)
                }
                else -> unsupported("choosing a ${said.text("kind")}")
            }
            return instructions.take(choice).flatMap(::effects) + chosen
        }

        private var never: List<String>? = null

        private fun speaksOf(said: JsonElement, name: String): Boolean = when (said) {
            is JsonObject -> said.text("who") == "the" && said.text("name") == name || said.values.any { speaksOf(it, name) }
            is JsonArray -> said.any { speaksOf(it, name) }
            else -> false
        }

        /** What an instruction is done to, or for whom. */
        fun meant(who: Said): EffectTarget = when (who.text("who")) {
            "this" -> EffectTarget.Self
            "you" -> EffectTarget.Controller
            "attached" -> EffectTarget.EnchantedPermanent
            "everyone" -> EffectTarget.PlayerRef(Player.Each)
            "opponents" -> EffectTarget.PlayerRef(Player.EachOpponent)
            "it" -> when (event) {
                "" -> unsupported("what \"it\" is")
                "becomes_target" -> unsupported("what has it as its target: the engine's effects find only its controller")
                else -> EffectTarget.TriggeringEntity
            }
            "active player" -> if (event == "beginning") EffectTarget.PlayerRef(Player.TriggeringPlayer) else unsupported("the active player")
            // The engine finds the player whom the source of the ability attacks, and nobody for a spell.
            "defending player" -> if (ofSpell) unsupported("the defending player of a spell") else EffectTarget.PlayerRef(Player.DefendingPlayer)
            "controller_of" -> when {
                who.record("of")?.text("who") == "it" && event == "cast" -> EffectTarget.PlayerRef(Player.TriggeringPlayer)
                who.record("of")?.text("who") == "the" && specs.size == 1 -> EffectTarget.TargetController
                who.record("of")?.text("who") == "it" ->
                    if (event == "becomes_target") EffectTarget.PlayerRef(Player.ControllerOfTargetingSource) else EffectTarget.ControllerOfTriggeringEntity
                else -> unsupported("the controller of that")
            }
            "the" -> {
                val name = who.text("name")
                when {
                    name == many -> EffectTarget.ContextTarget(0)
                    specs.any { it.text("name") == name } -> EffectTarget.BoundVariable(name)
                    name in named && specs.size == 1 -> EffectTarget.BoundVariable(specs[0].text("name"))
                    else -> unsupported("what was named $name")
                }
            }
            else -> unsupported("an instruction about ${who.text("who")}")
        }

        /** Whether the instructions are those of a delayed trigger. */
        private var later = false

        /** The engine's conditions find a target by its place alone, and are false for one with a name. */
        fun placed(who: Said): EffectTarget {
            val target = meant(who)
            if (target !is EffectTarget.BoundVariable) return target
            if (later) unsupported("what a target is like when a delayed trigger resolves: the engine's conditions do not find it")
            if (specs.size > 1 && specs.any { it.number("least") != 1 || it.number("most") != 1 }) unsupported("the place of a target among several")
            return EffectTarget.ContextTarget(specs.indexOfFirst { it.text("name") == target.name })
        }

        private fun isPlayers(who: Said) = who.text("who") in listOf("you", "everyone", "opponents", "active player", "defending player", "controller_of") ||
            who.text("who") == "the" && specs.any { it.text("name") == who.text("name") && it["players"] is JsonObject && it["what"] !is JsonObject }

        /** The engine moves spells by effects of their own. */
        private fun isSpell(who: Said): Boolean {
            val zones = specs.find { who.text("who") == "the" && it.text("name") == who.text("name") }?.record("what")?.texts("zones").orEmpty()
            if ("stack" in zones && zones.size > 1) unsupported("moving a spell or something else")
            return "stack" in zones
        }

        /** The same to one thing, or to each of those that are like that. */
        private fun each(who: Said, one: (EffectTarget) -> Effect): Effect = when (who.text("who")) {
            "all" -> ForEachInGroupEffect(groupOf(who), one(EffectTarget.Self))
            else -> one(meant(who))
        }

        private fun groupOf(who: Said): GroupFilter {
            if (who.texts("zones") != listOf("battlefield")) unsupported("an instruction about things in ${who.texts("zones")}")
            val other = who.who("other_than")
            if (other !in listOf("", "this")) unsupported("other than $other")
            return GroupFilter(filter(who, GameObjectFilter.Permanent), excludeSelf = other == "this")
        }

        fun effects(said: Said): List<Effect> = when (said.text("then")) {
            "effect" -> continuous(said)
            else -> listOf(effect(said))
        }

        private fun effect(said: Said): Effect {
            fun who(key: String) = said.record(key) ?: NOTHING
            return when (val then = said.text("then")) {
                "damage" -> {
                    said.only("damage", "then", "n", "to", "by", "divided")
                    if (said.who("by") != "this") unsupported("damage by something else")
                    if (said.flag("divided")) {
                        val spec = specs.singleOrNull() ?: unsupported("divided damage with other targets")
                        val n = said.number("n") ?: unsupported("so much divided damage")
                        DividedDamageEffect(n, maxOf(1, spec.number("least") ?: 1), spec.number("most") ?: n)
                    } else {
                        each(who("to")) { DealDamageEffect(amount(said["n"]), it) }
                    }
                }
                "draw" -> DrawCardsEffect(amount(said["n"]), meant(who("who")))
                "gain_life" -> GainLifeEffect(amount(said["n"]), meant(who("who")))
                "lose_life" -> LoseLifeEffect(amount(said["n"]), meant(who("who")))
                "discard" -> {
                    said.only("discard", "then", "n", "who")
                    when (said.who("who")) {
                        "everyone" -> HandPatterns.eachPlayerDiscards(said.number("n") ?: unsupported("discarding so many"))
                        "opponents" -> HandPatterns.eachOpponentDiscards(said.number("n") ?: unsupported("discarding so many"))
                        else -> HandPatterns.discardCards(amount(said["n"]), discarding(meant(who("who"))))
                    }
                }
                "destroy" -> when (said.who("what")) {
                    "all" -> {
                        val other = groupOf(who("what"))
                        if (other.excludeSelf) {
                            GroupPatterns.destroyAll(other, said.flag("for_good"))
                        } else {
                            GroupPatterns.destroyAllPipeline(other.baseFilter, said.flag("for_good"))
                        }
                    }
                    else -> {
                        val target = meant(who("what"))
                        val destroyed = MoveToZoneEffect(target, Zone.GRAVEYARD, byDestruction = true)
                        if (said.flag("for_good")) CompositeEffect(listOf(CantBeRegeneratedEffect(target), destroyed)) else destroyed
                    }
                }
                "tap", "untap" -> each(who("what")) { TapUntapEffect(it, then == "tap") }
                "counter" -> {
                    val spec = specs.find { it.text("name") == who("what").text("name") } ?: unsupported("countering that")
                    if (many != null) unsupported("countering several")
                    CounterEffect(
                        when {
                            spec.texts("stack").isEmpty() -> CounterTarget.Spell
                            spec["what"] is JsonObject -> CounterTarget.SpellOrAbility
                            else -> CounterTarget.Ability
                        },
                    )
                }
                "exile" -> {
                    said.only("exile", "then", "what", "name")
                    if (said.who("what") == "all") {
                        CompositeEffect(
                            listOf(
                                GatherCardsEffect(CardSource.BattlefieldMatching(groupOf(who("what")).baseFilter, excludeSelf = groupOf(who("what")).excludeSelf), "exiled"),
                                MoveCollectionEffect("exiled", CardDestination.ToZone(Zone.EXILE)),
                            ),
                        )
                    } else {
                        if (ofSpell && said.who("what") == "this") unsupported("a spell that exiles itself before it does something else")
                        val target = meant(who("what"))
                        if (said.text("name").isNotEmpty()) named.add(said.text("name"))
                        if (isSpell(who("what"))) ExileTargetSpellEffect(linkToSource = remembers)
                        else MoveToZoneEffect(target, Zone.EXILE, linkToSource = remembers)
                    }
                }
                "put" -> {
                    said.only("put", "then", "what", "to", "under", "tapped", "bottom", "shuffled", "name")
                    val what = who("what")
                    if (what.text("who") == "all") unsupported("putting such things somewhere")
                    val target = meant(what)
                    if (said.text("name").isNotEmpty()) named.add(said.text("name"))
                    val under = said.who("under")
                    if (isSpell(what)) return if (said.text("to") == "hand") ReturnSpellToOwnersHandEffect else unsupported("putting a spell into ${said.text("to")}")
                    when (said.text("to")) {
                        "hand" -> MoveToZoneEffect(target, Zone.HAND)
                        "library" -> MoveToZoneEffect(
                            target, Zone.LIBRARY,
                            if (said.flag("shuffled")) ZonePlacement.Shuffled else if (said.flag("bottom")) ZonePlacement.Bottom else ZonePlacement.Top,
                        )
                        "graveyard" -> MoveToZoneEffect(target, Zone.GRAVEYARD)
                        "battlefield" -> MoveToZoneEffect(
                            target, Zone.BATTLEFIELD, if (said.flag("tapped")) ZonePlacement.Tapped else ZonePlacement.Default,
                            controllerOverride = when (under) {
                                "you" -> EffectTarget.Controller
                                "owner_of" -> null
                                else -> unsupported("under the control of $under")
                            },
                        )
                        else -> unsupported("putting it into ${said.text("to")}")
                    }
                }
                "sacrifice" -> {
                    val what = who("what")
                    when (what.text("who") to said.who("who")) {
                        "this" to "you" -> SacrificeSelfEffect
                        "the" to "you" -> SacrificeTargetEffect(meant(what))
                        "all" to "you" -> SacrificeEffect(filter(JsonObject(what - "controller" - "other_than"), GameObjectFilter.Permanent), said.number("n") ?: 1, excludeSource = !what["other_than"].saysNothing())
                        "all" to "everyone", "all" to "opponents", "all" to "the" ->
                            ForceSacrificeEffect(filter(JsonObject(what - "controller"), GameObjectFilter.Permanent), said.number("n") ?: 1, meant(who("who")))
                        else -> unsupported("${said.who("who")} sacrificing ${what.text("who")}")
                    }
                }
                "put_counters" -> {
                    said.only("putting counters", "then", "on", "counters")
                    val on = who("on")
                    if (isPlayers(on)) unsupported("counters on a player")
                    // CR 608.2h: how many is determined once, before the first of several gets any, as the engine's own cards do.
                    val numbers = mutableListOf<Effect>()
                    val piles = said.records("counters").map { pile ->
                        val n = pile.number("n")
                        val kind = counterKind(pile.text("kind"))
                        val name = "counters${numbers.size}"
                        if (n == null) numbers += StoreNumberEffect(name, amount(pile["n"]))
                        each(on) { if (n != null) AddCountersEffect(kind, n, it) else AddDynamicCountersEffect(kind, DynamicAmount.VariableReference(name), it) }
                    }
                    (numbers + piles).singleOrNull() ?: CompositeEffect(numbers + piles)
                }
                "remove_counters" -> {
                    said.only("removing counters", "then", "on", "counters")
                    val piles = said.records("counters").map { pile ->
                        val n = pile.number("n") ?: unsupported("removing so many counters")
                        each(who("on")) { RemoveCountersEffect(counterKind(pile.text("kind")), n, it) }
                    }
                    piles.singleOrNull() ?: CompositeEffect(piles)
                }
                "create" -> token(said)
                "add_mana" -> mana(said)
                "regenerate" -> RegenerateEffect(meant(who("what")))
                "extra_turn" -> {
                    // It is for one player.
                    if (who("who").text("who") in listOf("everyone", "opponents")) unsupported("an extra turn for several players")
                    TakeExtraTurnEffect(target = meant(who("who")))
                }
                "attach" -> if (said.who("what") == "this") AttachEquipmentEffect(meant(who("to"))) else unsupported("attaching something else")
                "copy_spell" -> {
                    said.only("copying a spell", "then", "what", "n", "new_targets")
                    if (!said.flag("new_targets")) unsupported("a copy that keeps its targets")
                    val copied = specs.find { it.text("name") == who("what").text("name") }
                    if (copied != null && copied.texts("stack").isNotEmpty()) {
                        CopyTargetSpellOrAbilityEffect(meant(who("what")), amount(said["n"]))
                    } else {
                        CopyTargetSpellEffect(meant(who("what")), copies = amount(said["n"]))
                    }
                }
                "turn" -> when (said.text("face") to (said.saysOnly("then", "face", "what") && said.record("what")!!.saysOnly("who", "name"))) {
                    "down" to true -> TurnFaceDownEffect(meant(who("what")))
                    else -> unsupported("turning such things ${said.text("face")}")
                }
                "change_target" -> {
                    said.only("changing a target", "then", "what", "must")
                    if (!said.flag("must")) unsupported("choosing new targets for a spell")
                    ChangeTargetEffect
                }
                "exchange_control" -> unsupported("exchanging control")
                "may" -> {
                    said.only("may", "then", "effect", "who", "cost", "otherwise", "times")
                    if (said.number("times") != 1) unsupported("paying several times")
                    if (said.who("who") != "you") unsupported("a choice of ${said.who("who")}")
                    val inner = said.records("effect").flatMap(::effects)
                    val yes = inner.singleOrNull() ?: CompositeEffect(inner)
                    val no = said.records("otherwise").flatMap(::effects).let { if (it.isEmpty()) null else it.singleOrNull() ?: CompositeEffect(it) }
                    val costs = said.records("cost")
                    when {
                        // The engine's cards say where their source has to be for that.
                        costs.isEmpty() && no == null && said.records("effect").first().let { it.text("then") == "sacrifice" && it.who("what") == "this" } ->
                            GatedEffect(Gate.MayDecide(sourceRequiredZone = Zone.BATTLEFIELD), yes)
                        costs.isEmpty() -> GatedEffect(Gate.MayDecide(feasibility = if (no == null) null else required(said.records("effect").first())), yes, no)
                        costs.size == 1 && costs[0].text("cost") == "mana" && no != null && inner.isEmpty() ->
                            PayOrSufferEffect(PayCost.Atom(CostAtom.Mana(cost(costs[0].text("mana")))), no)
                        costs.size == 1 && costs[0].text("cost") == "mana" -> GatedEffect(Gate.MayPay(PayManaCostEffect(cost(costs[0].text("mana")))), yes, no)
                        else -> unsupported("a choice whether to pay that")
                    }
                }
                "if" -> {
                    said.only("if", "then", "cond", "effect")
                    val inner = said.records("effect").flatMap(::effects)
                    GatedEffect(Gate.WhenCondition(condition(said.record("cond") ?: NOTHING, this)), inner.singleOrNull() ?: CompositeEffect(inner))
                }
                "one_of" -> {
                    if (said.who("who") != "you") unsupported("a choice of ${said.who("who")}")
                    ChooseActionEffect(
                        said.records("options").mapIndexed { n, option ->
                            if (option.records("targets").isNotEmpty()) unsupported("alternatives with targets")
                            val inner = option.records("effect").flatMap(::effects)
                            EffectChoice("${n + 1}", inner.singleOrNull() ?: CompositeEffect(inner))
                        },
                    )
                }
                "later" -> {
                    said.only("later", "then", "when", "effect", "name")
                    val whens = said.record("when") ?: NOTHING
                    if (whens.text("on") != "beginning" || !whens.flag("next")) unsupported("a delayed trigger of that kind")
                    if (said.text("name") != "later") unsupported("a delayed trigger with a name")
                    later = true
                    val inner = said.records("effect").flatMap(::effects)
                    later = false
                    val own = when (whens.who("of")) {
                        "everyone" -> null
                        "you" -> EffectTarget.Controller
                        else -> unsupported("a delayed trigger at a step of ${whens.who("of")}")
                    }
                    CreateDelayedTriggerEffect(step = step(whens.text("step")), effect = inner.singleOrNull() ?: CompositeEffect(inner), fireOnPlayer = own)
                }
                else -> unsupported("the instruction $then")
            }
        }

        /** What a player needs who may do that, as the engine's cards with "if you don't" say it. */
        private fun required(said: Said): FeasibilityCheck? = when {
            said.text("then") in listOf("tap", "untap") -> unsupported("whether that can be tapped or untapped")
            said["n"] is JsonObject -> unsupported("whether there are as many of that")
            said.text("then") == "sacrifice" && said.who("who") == "you" && said.who("what") == "all" ->
                FeasibilityCheck.ControlsPermanentMatching(
                    filter(JsonObject(said.record("what")!! - "controller" - "other_than"), GameObjectFilter.Permanent), said.number("n") ?: 1,
                )
            said.text("then") == "discard" && said.who("who") == "you" -> FeasibilityCheck.HasCardsInZone(Zone.HAND, count = said.number("n") ?: 1)
            else -> null
        }

        /** A continuous effect that something resolving begins. */
        private fun continuous(said: Said): List<Effect> {
            said.only("effect", "then", "affects", "does", "until", "as_long_as")
            val who = said.record("affects") ?: NOTHING
            val until = said.record("as_long_as")
            val duration: Duration = when {
                until == null -> when (said.text("until")) {
                    "ever" -> Duration.Permanent
                    "end of turn", "this turn" -> Duration.EndOfTurn
                    "your next turn" -> Duration.UntilYourNextTurn
                    else -> unsupported("until ${said.text("until")}")
                }
                until.text("if") == "exists" && until.who("who") == "this" -> Duration.WhileSourceOnBattlefield()
                until.text("if") == "matches" && until.who("who") == "this" && until.record("what")!!.let { it.truth("tapped") == true && it.saysOnly("who", "zones", "tapped") } ->
                    Duration.WhileSourceTapped()
                until.text("if") == "matches" && until.who("who") == "this" && until.record("what")!!.let { it.who("controller") == "you" && it.saysOnly("who", "zones", "controller") } ->
                    Duration.WhileYouControlSource()
                else -> unsupported("for as long as that")
            }
            if (who.text("who") in listOf("you", "opponents", "everyone")) unsupported("a continuous effect on players that resolves")
            val does = said.records("does")
            val place = specs.indexOfFirst { it.text("name") == who.text("name") }
            affected = when (who.text("who")) {
                "all" -> EntityReference.IterationEntity
                "this" -> EntityReference.Source
                "the" -> if (place >= 0) EntityReference.Target(place) else null
                else -> null
            }
            if (who.text("who") == "all" && who.who("other_than") == "the" && does.singleOrNull()?.text("op") == "become_copy") {
                does[0].only("becoming a copy", "op", "of")
                if (who.record("other_than") != does[0].record("of")) unsupported("other than the")
                val others = groupOf(JsonObject(who - "other_than"))
                return listOf(EachPermanentBecomesCopyOfTargetEffect(meant(does[0].record("of") ?: NOTHING), others, duration, excludeTarget = true))
            }
            if (who.text("who") == "all") {
                // What forbids something is a rule for those that come later, too (the engine's own cards have it apart).
                val (rules, changes) = does.partition { it.text("op") == "cannot" && it.texts("do").all { deed -> deed == "attack" || deed == "block" } }
                val forbidden = rules.flatMap { rule ->
                    rule.only("cannot", "op", "do")
                    rule.texts("do").map { if (it == "attack") CantAttackGroupEffect(groupOf(who), duration) else CantBlockGroupEffect(groupOf(who), duration) }
                }
                val numbers = mutableListOf<Effect>()
                once = numbers
                val inner = changes.flatMap { lasting(it, EffectTarget.Self, duration) }
                once = null
                val changed = if (inner.isEmpty()) emptyList() else listOf(ForEachInGroupEffect(groupOf(who), inner.singleOrNull() ?: CompositeEffect(inner)))
                return (numbers + changed).let { if (numbers.isEmpty()) it else listOf(CompositeEffect(it)) } + forbidden
            }
            val target = meant(who)
            return does.flatMap { lasting(it, target, duration) }
        }

        /** Where an effect on several things keeps its numbers, while it is made. */
        private var once: MutableList<Effect>? = null

        /** CR 611.2d: how much is determined once, before the first of several changes, as the engine's own cards do. */
        private fun determined(said: JsonElement?): DynamicAmount {
            val amount = quantity(said, this)
            val numbers = once
            if (numbers == null || said !is JsonObject || "\"who\":\"it\"" in said.toString()) return amount
            numbers += StoreNumberEffect("changes${numbers.size}", amount)
            return DynamicAmount.VariableReference("changes${numbers.size - 1}")
        }

        private fun lasting(said: Said, target: EffectTarget, duration: Duration): List<Effect> = when (said.text("op")) {
            "modify" -> listOf(ModifyStatsEffect(determined(said["power"]), determined(said["toughness"]), target, duration))
            "base" -> listOf(
                SetBaseStatsEffect(
                    target, said["power"].takeIf { !it.saysNothing() }?.let(::determined),
                    said["toughness"].takeIf { !it.saysNothing() }?.let(::determined), duration,
                ),
            )
            "lose_all_abilities" -> {
                said.only("lose all abilities", "op")
                listOf(RemoveAllAbilitiesEffect(target, duration))
            }
            "set_colors" -> {
                if (said.texts("colors") == listOf("chosen color")) return listOf(ChangeColorToChosenEffect(target, duration))
                listOf(ChangeColorEffect(target, said.texts("colors").map { color(it).name }.toSet(), duration))
            }
            "add_colors" -> listOf(AddColorEffect(said.texts("colors").map { color(it).name }.toSet(), target, duration))
            "add_types" -> {
                said.only("add types", "op", "types", "subtypes")
                if ("chosen type" in said.texts("subtypes")) unsupported("becoming the chosen type")
                said.texts("types").map { AddCardTypeEffect(cardType(it).name, target, duration) } +
                    said.texts("subtypes").map { AddSubtypeEffect(it, target, duration) }
            }
            "set_creature_types" -> {
                if (said.texts("subtypes") == listOf("chosen type")) {
                    return listOf(BecomeCreatureTypeEffect(target, duration, never ?: unsupported("becoming a type chosen before")))
                }
                listOf(SetCreatureSubtypesEffect(said.texts("subtypes").toSet(), target, duration))
            }
            "basic_land_type" -> {
                val one = said.texts("subtypes").singleOrNull()?.takeIf { it != "chosen type" } ?: unsupported("such a basic land type")
                listOf(SetLandTypeEffect(one, target, duration))
            }
            "gain" -> said.records("abilities").map { ability ->
                when (ability.text("is")) {
                    "keyword" -> when {
                        ability.saysOnly("is", "keyword") -> GrantKeywordEffect(grantable(ability.text("keyword")).name, target, duration)
                        ability.text("keyword") == "landwalk" -> GrantKeywordEffect(landwalk(ability.record("what") ?: NOTHING).name, target, duration)
                        ability.text("keyword") == "protection" && ability.record("what")!!.saysOnly("color") && ability.record("what")!!.texts("color").size == 1 ->
                            GrantKeywordEffect("PROTECTION_FROM_${color(ability.record("what")!!.texts("color")[0]).name}", target, duration)
                        else -> unsupported("gaining ${ability.text("keyword")} of that kind for a while")
                    }
                    "activated" -> GrantActivatedAbilityEffect(activated(ability), target, duration)
                    "triggered" -> GrantTriggeredAbilityEffect(trigger(ability), target, duration)
                    else -> unsupported("gaining an ability that is ${ability.text("is")} for a while")
                }
            }
            "lose" -> said.texts("keywords").map { RemoveKeywordEffect(simpleKeyword(it).name, target, duration) }
            "control" -> {
                if (said.who("player") != "you") unsupported("control for ${said.who("player")}")
                if (specs.any { it.record("what")?.texts("zones") == listOf("stack") }) unsupported("control of a spell")
                listOf(GainControlEffect(target, duration))
            }
            "become_copy" -> {
                said.only("becoming a copy", "op", "of")
                listOf(EachPermanentBecomesCopyOfTargetEffect(target = meant(said.record("of") ?: NOTHING), affected = target, duration = duration))
            }
            "cannot" -> {
                said.only("cannot", "op", "do")
                said.texts("do").map {
                    when (it) {
                        "attack" -> CantAttackEffect(target, duration)
                        "block" -> CantBlockEffect(target, duration)
                        "be blocked" -> GrantKeywordEffect(AbilityFlag.CANT_BE_BLOCKED.name, target, duration)
                        else -> unsupported("cannot $it, for a while")
                    }
                }
            }
            "must" -> when (said.text("do")) {
                "attack" -> listOf(MarkMustAttackThisTurnEffect(target))
                "block" -> listOf(MarkMustBlockThisTurnEffect(target))
                else -> unsupported("must ${said.text("do")}, for a while")
            }
            "replace_word" -> {
                said.only("replacing a word", "op", "kinds", "never", "old", "new")
                val (old, new) = said.text("old") to said.text("new")
                if (old.isEmpty() != new.isEmpty()) unsupported("replacing a word of which one is chosen")
                if (old.isNotEmpty()) replacedWords = listOf(old, new)
                when (said.texts("kinds").toSet()) {
                    setOf("creature type") -> {
                        if (duration != Duration.Permanent) unsupported("replacing creature types for a while")
                        listOf(ChangeCreatureTypeTextEffect(target, said.texts("never")))
                    }
                    setOf("color", "basic land type") -> listOf(ChangeWordInTextEffect(target, duration))
                    // The engine offers both kinds; the script may choose the card's own only.
                    setOf("color"), setOf("basic land type") -> {
                        wordsOfColors = said.texts("kinds") == listOf("color")
                        listOf(ChangeWordInTextEffect(target, duration))
                    }
                    else -> unsupported("replacing words of those kinds")
                }
            }
            else -> unsupported("the operation ${said.text("op")} for a while")
        }

        private fun token(said: Said): Effect {
            said.only("create", "then", "token", "n", "who", "tapped", "copy_of")
            if (said.who("who") != "you") unsupported("tokens for somebody else")
            said.record("copy_of")?.let { return CreateTokenCopyOfTargetEffect(meant(it), amount(said["n"]), tapped = said.flag("tapped")) }
            val token = said.record("token") ?: NOTHING
            if (token.text("name") == "Food" && token.texts("subtypes") == listOf("Food") && Own.tokens.any { it.name == "Food" }) return CreatePredefinedTokenEffect("Food", if ("n" in said) said.number("n") ?: unsupported("as many Food tokens as that") else 1)
            token.only("token", "name", "types", "supertypes", "subtypes", "colors", "power", "toughness", "abilities")
            val types = token.texts("types").toSet()
            if ("Creature" !in types || !(types - "Creature" - "Artifact" - "Enchantment").isEmpty()) unsupported("a token that is ${types.joinToString()}")
            if ((token.texts("supertypes") - "Legendary").isNotEmpty()) unsupported("a token with such supertypes")
            val own = Maker(JsonObject(mapOf("name" to JsonPrimitive("$name's token"))))
            for (ability in token.records("abilities")) own.ability(ability)
            if (own.keywordAbilities.isNotEmpty() || own.replacements.isNotEmpty()) unsupported("a token with such abilities")
            // The engine itself adds the ability to a token with this keyword.
            own.triggers.removeAll { it.descriptionOverride == "prowess" }
            return CreateTokenEffect(
                count = amount(said["n"]), power = token.number("power") ?: unsupported("a token without power"),
                toughness = token.number("toughness") ?: unsupported("a token without toughness"),
                colors = token.texts("colors").map(::color).toSet(), creatureTypes = token.texts("subtypes").toSet(),
                keywords = own.keywords, name = token.text("name"), tapped = said.flag("tapped"),
                legendary = "Legendary" in token.texts("supertypes"), artifactToken = "Artifact" in types,
                enchantmentToken = "Enchantment" in types, staticAbilities = own.statics, triggeredAbilities = own.triggers,
                activatedAbilities = own.activated,
            )
        }

        private fun mana(said: Said): Effect {
            said.only("add_mana", "then", "mana", "n", "who")
            if (said.who("who") != "you") unsupported("mana for ${said.who("who")}")
            val n = amount(said["n"])
            val word = said.text("mana")
            if (word == "any") return AddManaOfChoiceEffect(ManaColorSet.AnyColor, n)
            val letters = symbols(word)
            val made = letters.distinct().map { letter ->
                val count = letters.count { it == letter }
                val amount = if (count == 1) n else DynamicAmount.Multiply(n, count).let { if (n is DynamicAmount.Fixed) DynamicAmount.Fixed(n.amount * count) else it }
                if (letter == "C") {
                    AddColorlessManaEffect(amount)
                } else {
                    AddManaEffect(Color.fromSymbol(letter.singleOrNull() ?: '?') ?: unsupported("making $word"), amount)
                }
            }
            return made.singleOrNull() ?: CompositeEffect(made)
        }
    }

    // ---- words that occur everywhere

    private fun landwalk(what: Said): Keyword {
        what.only("landwalk", "subtype")
        return LANDWALK[what.texts("subtype").singleOrNull()] ?: unsupported("landwalk of such lands")
    }

    /** A keyword that the engine also acts on when it is granted. */
    private fun grantable(word: String): Keyword = when (word) {
        "storm", "devoid", "convoke", "delve", "rebound" -> unsupported("gaining $word")
        else -> simpleKeyword(word)
    }

    private fun player(who: Said): Player = when (who.text("who")) {
        "you" -> Player.You
        "opponents" -> Player.EachOpponent
        "everyone" -> Player.Each
        else -> unsupported("something about ${who.text("who")}")
    }

    private fun targetFilter(said: Said): TargetFilter {
        val zones = said.texts("zones")
        val zone = when {
            zones.isEmpty() || zones == listOf("battlefield") -> Zone.BATTLEFIELD
            zones.size == 1 -> zone(zones[0])
            else -> unsupported("a target in several zones")
        }
        val other = said.who("other_than")
        if (other !in listOf("", "this")) unsupported("a target other than $other")
        val noun = if (zone == Zone.BATTLEFIELD) GameObjectFilter.Permanent else GameObjectFilter.Any
        val of = said.who("of")
        var base = filter(JsonObject(said - "of"), noun)
        if (of.isNotEmpty()) {
            base = base.copy(
                controllerPredicate = when (of) {
                    "you" -> ControllerPredicate.OwnedByYou
                    "opponents" -> ControllerPredicate.OwnedByOpponent
                    "everyone" -> null
                    else -> unsupported("a card of $of")
                },
            )
        }
        return TargetFilter(base, zone, excludeSelf = other == "this")
    }

    /** What a thing has to be like. `noun` is what it is called where no card type is asked for. */
    private fun filter(said: Said, noun: GameObjectFilter): GameObjectFilter {
        said.only(
            "filter", "who", "zones", "of", "type", "subtype", "supertype", "color", "colorless", "multicolored", "keyword", "name",
            "controller", "owner", "other_than", "tapped", "token", "face_down", "attacking", "blocking", "unblocked", "power",
            "toughness", "mana_value", "counter", "any_of", "without", "no_abilities", "same_as",
        )
        if (said.who("of") !in listOf("", "everyone")) unsupported("a filter by whose it is: ${said.who("of")}")
        val cards = ArrayList<CardPredicate>()
        val states = ArrayList<StatePredicate>()
        for (word in said.texts("type")) cards.add(isType(word))
        if (said.texts("type").isEmpty()) cards.addAll(noun.cardPredicates)
        // The engine's word for it looks for a creature type.
        if ("chosen type" in said.texts("subtype") && choosesBasic) unsupported("a filter by a chosen basic land type")
        for (word in said.texts("subtype")) cards.add(if (word == "chosen type") CardPredicate.HasChosenSubtype else CardPredicate.HasSubtype(Subtype(word)))
        for (word in said.texts("supertype")) cards.add(
            when (word) {
                "Legendary" -> CardPredicate.IsLegendary
                "Basic" -> CardPredicate.IsBasicLand
                else -> unsupported("a filter by $word")
            },
        )
        for (word in said.texts("color")) cards.add(if (word == "chosen color") ofChosenColor else CardPredicate.HasColor(color(word)))
        for (word in said.texts("keyword")) cards.add(CardPredicate.HasKeyword(simpleKeyword(word)))
        said.truth("colorless")?.let { cards.add(if (it) CardPredicate.IsColorless else CardPredicate.IsColored) }
        said.truth("multicolored")?.let { cards.add(if (it) CardPredicate.IsMulticolored else CardPredicate.Not(CardPredicate.IsMulticolored)) }
        said.truth("token")?.let { cards.add(if (it) CardPredicate.IsToken else CardPredicate.IsNontoken) }
        said.truth("no_abilities")?.let { cards.add(if (it) CardPredicate.HasNoAbilities else CardPredicate.Not(CardPredicate.HasNoAbilities)) }
        if (said.text("name").isNotEmpty()) cards.add(CardPredicate.NameEquals(said.text("name")))
        said.truth("tapped")?.let { states.add(if (it) StatePredicate.IsTapped else StatePredicate.IsUntapped) }
        said.truth("face_down")?.let { states.add(if (it) StatePredicate.IsFaceDown else StatePredicate.IsFaceUp) }
        fun state(key: String, yes: StatePredicate) = said.truth(key)?.let { states.add(if (it) yes else StatePredicate.Not(yes)) }
        when (said.who("same_as")) {
            "" -> {}
            "this" -> states.add(StatePredicate.IsSource)
            else -> unsupported("the same as ${said.who("same_as")}")
        }
        state("attacking", StatePredicate.IsAttacking)
        state("blocking", StatePredicate.IsBlocking)
        state("unblocked", StatePredicate.IsUnblocked)
        if (said.text("counter").isNotEmpty()) states.add(StatePredicate.HasCounter(counterKind(said.text("counter"))))
        for (key in listOf("power", "toughness", "mana_value")) {
            val compared = said.record(key) ?: continue
            cards.add(compared(key, compared.text("how"), compared["n"]))
        }
        val controllers = ArrayList<ControllerPredicate>()
        when (said.who("controller")) {
            "" -> {}
            "you" -> controllers.add(ControllerPredicate.ControlledByYou)
            "opponents" -> controllers.add(ControllerPredicate.ControlledByOpponent)
            "active player" -> controllers.add(ControllerPredicate.ControlledByActivePlayer)
            else -> unsupported("things controlled by ${said.who("controller")}")
        }
        when (said.who("owner")) {
            "" -> {}
            "you" -> controllers.add(ControllerPredicate.OwnedByYou)
            "opponents" -> controllers.add(ControllerPredicate.OwnedByOpponent)
            else -> unsupported("things owned by ${said.who("owner")}")
        }
        if ((said.records("without") + said.records("any_of")).any { !it["other_than"].saysNothing() }) unsupported("alternatives of which one is other than something")
        for (part in said.records("without")) {
            val negated = filter(part, GameObjectFilter.Any)
            if (negated.anyOf.isNotEmpty() || negated.controllerPredicate != null) unsupported("without such things")
            if (negated.statePredicates.isEmpty()) {
                cards.add(not(negated.cardPredicates))
            } else if (negated.cardPredicates.isEmpty()) {
                states.add(StatePredicate.Not(negated.statePredicates.singleOrNull() ?: StatePredicate.And(negated.statePredicates)))
            } else {
                unsupported("without things that are and do")
            }
        }
        val whole = GameObjectFilter(
            cards, states, if (controllers.isEmpty()) null else controllers.singleOrNull() ?: ControllerPredicate.And(controllers),
        )
        val either = said.records("any_of")
        if (either.isEmpty()) return whole
        val parts = either.map { filter(it, GameObjectFilter.Any) }
        if (parts.all { it.statePredicates.isEmpty() && it.controllerPredicate == null && it.anyOf.isEmpty() }) {
            val any = CardPredicate.Or(parts.map { it.cardPredicates.singleOrNull() ?: CardPredicate.And(it.cardPredicates) })
            return whole.copy(cardPredicates = whole.cardPredicates + any)
        }
        if (parts.any { it.anyOf.isNotEmpty() }) unsupported("alternatives within alternatives")
        return GameObjectFilter(
            anyOf = parts.map {
                if (whole.controllerPredicate != null && it.controllerPredicate != null) unsupported("alternatives by controller")
                GameObjectFilter(
                    whole.cardPredicates + it.cardPredicates, whole.statePredicates + it.statePredicates,
                    whole.controllerPredicate ?: it.controllerPredicate,
                )
            },
        )
    }

    private fun isType(word: String): CardPredicate = when (word) {
        "Creature" -> CardPredicate.IsCreature
        "Land" -> CardPredicate.IsLand
        "Artifact" -> CardPredicate.IsArtifact
        "Enchantment" -> CardPredicate.IsEnchantment
        "Planeswalker" -> CardPredicate.IsPlaneswalker
        "Instant" -> CardPredicate.IsInstant
        "Sorcery" -> CardPredicate.IsSorcery
        else -> unsupported("a filter by $word")
    }

    private fun not(predicates: List<CardPredicate>): CardPredicate = when (val one = predicates.singleOrNull()) {
        null -> CardPredicate.Not(CardPredicate.And(predicates))
        CardPredicate.IsCreature -> CardPredicate.IsNoncreature
        CardPredicate.IsLand -> CardPredicate.IsNonland
        CardPredicate.IsArtifact -> CardPredicate.IsNonartifact
        CardPredicate.IsEnchantment -> CardPredicate.IsNonenchantment
        CardPredicate.IsLegendary -> CardPredicate.IsNonlegendary
        is CardPredicate.HasColor -> CardPredicate.NotColor(one.color)
        is CardPredicate.HasSubtype -> CardPredicate.NotSubtype(one.subtype)
        is CardPredicate.HasKeyword -> CardPredicate.NotKeyword(one.keyword)
        else -> CardPredicate.Not(one)
    }

    private fun compared(key: String, how: String, n: JsonElement?): CardPredicate {
        val fixed = (n as? JsonPrimitive)?.content?.toIntOrNull()
        if (fixed == null) {
            val x = (n as? JsonObject)?.text("num") == "X"
            return when {
                x && key == "mana_value" && how == "<=" -> CardPredicate.ManaValueAtMostX
                x && key == "mana_value" && how == "=" -> CardPredicate.ManaValueEqualsX
                x && key == "power" && how == ">=" -> CardPredicate.PowerAtLeastX
                x && key == "power" && how == "=" -> CardPredicate.PowerEqualsX
                x && key == "toughness" && how == "<=" -> CardPredicate.ToughnessAtMostX
                else -> unsupported("a filter by such a $key")
            }
        }
        return when (key to how) {
            "power" to ">=" -> CardPredicate.PowerAtLeast(fixed)
            "power" to "<=" -> CardPredicate.PowerAtMost(fixed)
            "power" to "=" -> CardPredicate.PowerEquals(fixed)
            "toughness" to ">=" -> CardPredicate.ToughnessAtLeast(fixed)
            "toughness" to "<=" -> CardPredicate.ToughnessAtMost(fixed)
            "toughness" to "=" -> CardPredicate.ToughnessEquals(fixed)
            "mana_value" to ">=" -> CardPredicate.ManaValueAtLeast(fixed)
            "mana_value" to "<=" -> CardPredicate.ManaValueAtMost(fixed)
            "mana_value" to "=" -> CardPredicate.ManaValueEquals(fixed)
            else -> unsupported("a filter by $key $how")
        }
    }

    /** A number, or how it is found. */
    private fun quantity(said: JsonElement?, scope: Scope? = null): DynamicAmount {
        if (said.saysNothing()) return DynamicAmount.Fixed(0)
        (said as? JsonPrimitive)?.let { return DynamicAmount.Fixed(it.content.toIntOrNull() ?: unsupported("the number ${it.content}")) }
        val record = said as JsonObject
        return when (record.text("num")) {
            "X" -> if (scope?.gone == true && scope.event.isNotEmpty()) unsupported("X of what has left") else DynamicAmount.XValue
            "count" -> count(record)
            "property" -> property(record, scope)
            "sum" -> record.list("parts").map { quantity(it, scope) }.reduce { one, other -> DynamicAmount.Add(one, other) }
            "times" -> DynamicAmount.Multiply(quantity(record["by"], scope), record.number("n") ?: unsupported("times that"))
            "devotion" -> DynamicAmount.DevotionTo(record.texts("to").map(::color))
            else -> unsupported("the quantity ${record.text("num")}")
        }
    }

    private fun count(said: Said): DynamicAmount {
        val of = said.record("of") ?: NOTHING
        if (of.text("who") != "all") unsupported("counting ${of.text("who")}")
        val zone = of.texts("zones").singleOrNull() ?: unsupported("counting in several zones")
        if (zone == "battlefield") {
            if (said.text("distinct") != "objects") unsupported("counting ${said.text("distinct")} there")
            val other = of.who("other_than")
            if (other !in listOf("", "this")) unsupported("counting others than $other")
            val whose = of.who("controller")
            val filter = filter(JsonObject(of - "controller"), GameObjectFilter.Permanent)
            return DynamicAmount.AggregateBattlefield(owner(whose), filter, excludeSelf = other == "this")
        }
        if (zone == "exile" && of.who("put_by") == "this" && of.who("of") in listOf("", "everyone") && of.saysOnly("who", "zones", "put_by", "of") && said.text("distinct") == "objects") {
            return DynamicAmount.ContextProperty(ContextPropertyKey.LINKED_EXILE_CARD_COUNT)
        }
        val filter = filter(JsonObject(of - "of"), GameObjectFilter.Any)
        return when (said.text("distinct")) {
            "objects" -> DynamicAmount.Count(owner(of.who("of")), zone(zone), filter)
            "card types" -> DynamicAmount.AggregateZone(owner(of.who("of")), zone(zone), filter, Aggregation.DISTINCT_TYPES)
            else -> unsupported("counting ${said.text("distinct")} there")
        }
    }

    private fun owner(whose: String): Player = when (whose) {
        "", "everyone" -> Player.Each
        "you" -> Player.You
        "opponents" -> Player.EachOpponent
        else -> unsupported("counting things of $whose")
    }

    private fun property(said: Said, scope: Scope?): DynamicAmount {
        val of = said.record("of") ?: NOTHING
        val what = said.text("what")
        if (of.text("who") == "all") {
            if (of.texts("zones") != listOf("battlefield")) unsupported("the $what of cards elsewhere")
            val property = when (what) {
                "power" -> CardNumericProperty.POWER
                "toughness" -> CardNumericProperty.TOUGHNESS
                "mana_value" -> CardNumericProperty.MANA_VALUE
                else -> unsupported("the $what of all")
            }
            val how = if (said.text("over") == "greatest") Aggregation.MAX else Aggregation.SUM
            val other = of.who("other_than")
            if (other !in listOf("", "this")) unsupported("counting others than $other")
            val filter = filter(JsonObject(of - "controller"), GameObjectFilter.Permanent)
            return DynamicAmount.AggregateBattlefield(owner(of.who("controller")), filter, how, property, excludeSelf = other == "this")
        }
        val entity = when (of.text("who")) {
            "you" -> return when (what) {
                "life" -> DynamicAmount.LifeTotal(Player.You)
                "hand_size" -> DynamicAmount.Count(Player.You, Zone.HAND)
                else -> unsupported("the $what of a player")
            }
            "this" -> EntityReference.Source
            "it" -> scope.let {
                if (it == null) EntityReference.AffectedEntity
                else it.affected ?: if (it.event in listOf("", "becomes_target")) unsupported("what \"it\" is") else EntityReference.Triggering
            }
            "attached" -> EntityReference.EnchantedCreature
            "the" -> {
                val place = scope?.specs?.indexOfFirst { it.text("name") == of.text("name") } ?: -1
                if (place < 0) unsupported("the $what of ${of.text("name")}") else EntityReference.Target(place)
            }
            else -> unsupported("the $what of ${of.text("who")}")
        }
        val property = when (what) {
            "power" -> EntityNumericProperty.Power
            "toughness" -> EntityNumericProperty.Toughness
            "mana_value" -> EntityNumericProperty.ManaValue
            "counters" -> if (entity == EntityReference.Source && scope?.gone == true) {
                return DynamicAmount.LastKnownSourceCounters(said.text("counter").let { if (it.isEmpty()) CounterTypeFilter.Any else counterFilter(it) })
            } else EntityNumericProperty.CounterCount(said.text("counter").let { if (it.isEmpty()) CounterTypeFilter.Any else counterFilter(it) })
            else -> unsupported("the $what of that")
        }
        return DynamicAmount.EntityProperty(entity, property)
    }

    private fun condition(said: Said, scope: Scope? = null): Condition = when (said.text("if")) {
        "exists" -> {
            val who = said.record("who") ?: NOTHING
            if (who.text("who") != "all") unsupported("whether there is ${who.text("who")}")
            val zone = who.texts("zones").singleOrNull() ?: unsupported("whether there is one in several zones")
            val other = who.who("other_than")
            if (other !in listOf("", "this")) unsupported("others than $other")
            val (whose, rest) = if (zone == "battlefield") who.who("controller") to JsonObject(who - "controller") else who.who("of") to JsonObject(who - "of")
            Exists(owner(whose), zone(zone), filter(rest, if (zone == "battlefield") GameObjectFilter.Permanent else GameObjectFilter.Any), excludeSelf = other == "this")
        }
        "not" -> NotCondition(condition(said.record("part") ?: NOTHING, scope))
        "all_of" -> AllConditions(said.records("parts").map { condition(it, scope) })
        "any_of" -> AnyCondition(said.records("parts").map { condition(it, scope) })
        "turn" -> when (said.who("of")) {
            "you" -> if (said["step"].saysNothing()) IsYourTurn else unsupported("a condition about steps")
            "opponents" -> IsNotYourTurn
            else -> unsupported("the turn of ${said.who("of")}")
        }
        "was" -> if (said.text("what") == "kicked") WasKicked else unsupported("whether it was ${said.text("what")}")
        "matches" -> {
            val who = said.record("who") ?: NOTHING
            val what = filter(said.record("what") ?: NOTHING, GameObjectFilter.Any)
            EntityMatches(
                when (who.text("who")) {
                    "this" -> EffectTarget.Self
                    "attached" -> EffectTarget.EnchantedCreature
                    "it" -> if (scope?.event == "becomes_target") unsupported("what \"it\" is") else EffectTarget.TriggeringEntity
                    "the" -> scope?.placed(who) ?: unsupported("whether ${who.text("name")} is like that")
                    else -> unsupported("whether ${who.text("who")} is like that")
                },
                what,
            )
        }
        "compare" -> Compare(
            quantity(said["left"], scope),
            when (said.text("how")) {
                ">=" -> ComparisonOperator.GTE
                "<=" -> ComparisonOperator.LTE
                else -> ComparisonOperator.EQ
            },
            quantity(said["right"], scope),
        )
        else -> unsupported("the condition ${said.text("if")}")
    }

    companion object {
        /** What the scenarios call the abilities that are activated. */
        val names = HashMap<AbilityId, String>()

        /** What they call those that trigger. */
        val words = HashSet<String>(listOf("prowess"))

        /** Which word a card replaces by which, where that is not chosen: the engine asks all the same. */
        val replaced = IdentityHashMap<CardDefinition, List<String>>()

        /** Whether the words that a card replaces are those of colors, where they are of one kind only. */
        val colorWords = IdentityHashMap<CardDefinition, Boolean>()

        /** The cards that ask whether something enters tapped. */
        val askers = IdentityHashMap<CardDefinition, Boolean>()

        /** The cards that say that they are colorless. */
        val colorless = IdentityHashMap<CardDefinition, Boolean>()

        /** What they call it when a spell may be cast without paying its mana cost. */
        val free = HashSet<String>()
    }
}

fun zone(word: String): Zone = when (word) {
    "battlefield" -> Zone.BATTLEFIELD
    "hand" -> Zone.HAND
    "library" -> Zone.LIBRARY
    "graveyard" -> Zone.GRAVEYARD
    "exile" -> Zone.EXILE
    "stack" -> Zone.STACK
    else -> unsupported("the zone $word")
}

fun counterType(kind: String): CounterType = CounterType.fromName(kind) ?: unsupported("$kind counters")

/** A kind of counter as the engine's effects spell it. */
fun counterKind(kind: String): String {
    counterType(kind)
    return kind
}

fun counterFilter(kind: String): CounterTypeFilter = when (kind) {
    "+1/+1" -> CounterTypeFilter.PlusOnePlusOne
    "-1/-1" -> CounterTypeFilter.MinusOneMinusOne
    "+1/+0" -> CounterTypeFilter.PlusOnePlusZero
    "+0/+1" -> CounterTypeFilter.PlusZeroPlusOne
    "loyalty" -> CounterTypeFilter.Loyalty
    else -> CounterTypeFilter.Named(counterKind(kind))
}

// ---------------------------------------------------------------------------------------------- THE TABLE

/** The engine, once for the process; its cards are exchanged for each scenario. */
object World {
    val registry = CardRegistry()
    /** What the scenario says of the engine's own cards, by their names. */
    val printed = HashMap<String, Said>()
    val services = EngineServices(registry)
    val processor = ActionProcessor(services, computeUndo = false)
    val cards = Cards()
    val keywords = com.wingedsheep.engine.mechanics.mana.GrantedKeywordResolver(registry)
    private val statics = StaticAbilityHandler(registry)

    /** How many effects the engine makes of a static ability. */
    fun effects(ability: StaticAbility): Int = statics.lowerToContinuousEffectData(listOf(ability)).size
}

/** An answer of the script, waiting for its question. */
class Prepared(val at: Int, val choice: Said)

val STEPS = mapOf(
    "untap" to Step.UNTAP, "upkeep" to Step.UPKEEP, "draw" to Step.DRAW, "precombat main" to Step.PRECOMBAT_MAIN,
    "beginning of combat" to Step.BEGIN_COMBAT, "declare attackers" to Step.DECLARE_ATTACKERS,
    "declare blockers" to Step.DECLARE_BLOCKERS, "first-strike damage" to Step.FIRST_STRIKE_COMBAT_DAMAGE,
    "combat damage" to Step.COMBAT_DAMAGE, "end of combat" to Step.END_COMBAT, "postcombat main" to Step.POSTCOMBAT_MAIN,
    "end" to Step.END, "cleanup" to Step.CLEANUP,
)

fun step(word: String): Step = STEPS[word] ?: unsupported("the step $word")

/** What prowess does in this engine. */
private val PROWESS = ModifyStatsEffect(1, 1, EffectTarget.Self)

/** A game under way, and what the scenario calls its things. */
class Game(private val scenario: Said) {
    var state = GameState()
    private val players = scenario.records("players").map { it.text("id") }

    /** The cards that are the engine's own. */
    val named = ArrayList<String>()
    private val seats = HashMap<String, EntityId>()
    private val ids = LinkedHashMap<String, EntityId>()
    private val names = HashMap<EntityId, String>()
    /** What abilities on the stack are called, as far as it was settled when they were put there. */
    private val called = HashMap<EntityId, String>()
    private val paid = HashMap<EntityId, String>()
    private var tappedBefore: Set<EntityId> = emptySet()
    val waiting = ArrayList<Prepared>()

    /** Set the table: create everything in the order of `objects`, then enter it in that of `setup`. */
    fun begin() {
        World.registry.clear()
        val used = scenario.records("objects").map { it.text("card") }.toSet()
        for (card in scenario.records("cards")) {
            val name = card.record("definition")?.text("name") ?: ""
            if (name !in used) continue
            World.registry.register(World.cards.made(card))
            if (name in World.cards.named) named.add(name)
        }
        Own.tokens.filterNot { World.registry.hasCard(it.name) }.forEach(World.registry::register)
        val seating = scenario.records("players").map { PlayerConfig(it.text("id"), Deck(emptyList()), it.number("life") ?: 20) }
        val started = GameInitializer(World.registry).initializeGame(
            GameConfig(seating, startingHandSize = 0, skipMulligans = true, startingPlayerIndex = 0, seed = 0),
        )
        state = started.state
        players.zip(started.playerIds).forEach { (name, id) -> seats[name] = id }
        val fresh = started.playerIds.associateWith { state.getEntity(it)!! }
        create()
        for (arrival in scenario.records("setup")) {
            val entries = arrival.records("entries")
            if (entries.size != 1) unsupported("objects that enter together")
            enter(entries[0])
        }
        start(scenario.record("start") ?: NOTHING, fresh)
    }

    /** Every object of the scenario, in the zone where it begins. What enters waits in the command zone. */
    private fun create() {
        for (thing in scenario.records("objects")) {
            val (id, owner) = thing.text("id") to player(thing.text("owner"))
            val definition = World.registry.getCard(thing.text("card")) ?: unsupported("no card ${thing.text("card")}")
            val (entity, next) = state.newEntity()
            var made = CardEntityFactory.create(definition, owner)
            if (thing.flag("token")) made = made.with(TokenComponent)
            state = next.withEntity(entity, made)
            ids[id] = entity
            names[entity] = id
            val seat = scenario.records("players").first { it.text("id") == thing.text("owner") }
            val zoned = listOf("hand", "library", "graveyard", "exile").any { id in seat.texts(it) }
            if (!zoned) state = state.addToZone(ZoneKey(owner, Zone.COMMAND), entity)
        }
        for (seat in scenario.records("players")) {
            if (!seat["team"].saysNothing()) unsupported("teams")
            if (seat.list("counters").isNotEmpty()) unsupported("counters on a player")
            val owner = player(seat.text("id"))
            for ((key, zone) in listOf("hand" to Zone.HAND, "library" to Zone.LIBRARY, "exile" to Zone.EXILE)) {
                for (id in seat.texts(key)) state = state.addToZone(ZoneKey(owner, zone), thing(id))
            }
            for (id in seat.texts("graveyard").reversed()) state = state.addToZone(ZoneKey(owner, Zone.GRAVEYARD), thing(id))
        }
    }

    /** One object's entry onto the battlefield. What something replaces as it enters is cast, or played. */
    private fun enter(entry: Said) {
        entry.only("an entry", "id", "controller", "attached_to", "counters", "choices", "face_down", "tapped", "damage", "new")
        val id = thing(entry.text("id"))
        val controller = player(entry.text("controller"))
        val owner = state.getEntity(id)!!.get<OwnerComponent>()!!.playerId
        val definition = World.registry.getCard(state.getEntity(id)!!.get<CardComponent>()!!.cardDefinitionId)!!
        val replaced = definition.script.replacementEffects.any {
            it is EntersAsCopy || it is EntersWithChoice || it is EntersWithCounters && it.selfOnly || it is EntersWithDynamicCounters ||
                it is EntersTapped && it.payLifeCost != null
        }
        val token = state.getEntity(id)!!.has<TokenComponent>()
        val faceDown = entry.flag("face_down")
        val morph = definition.keywordAbilities.any { it is KeywordAbility.Morph }
        if (replaced && !faceDown || definition.isAura || faceDown && morph) {
            if (token || owner != controller) unsupported("entering like that")
            cast(id, controller, entry, definition)
        } else {
            if (entry.list("choices").isNotEmpty()) unsupported("choices as it enters of a card without any")
            val options = ZoneEntryOptions(
                controllerId = controller, tapped = entry.flag("tapped"), faceDown = faceDown,
                faceDownMode = if (faceDown) FaceDownMode.MANIFEST else null,
            )
            val moved = ZoneTransitionService.moveToZone(state, id, Zone.BATTLEFIELD, options)
            state = moved.state
        }
        if (id !in state.getBattlefield()) unsupported("the engine does not put it onto the battlefield")
        val host = entry.text("attached_to")
        if (host.isNotEmpty() && !definition.isAura) execute(AttachEquipmentEffect(EffectTarget.SpecificEntity(thing(host))), id, controller)
        for (pile in entry.records("counters")) {
            execute(AddCountersEffect(counterKind(pile.text("kind")), pile.number("n") ?: 0, EffectTarget.SpecificEntity(id)), id, controller)
        }
        if (entry.flag("tapped") && !state.getEntity(id)!!.has<TappedComponent>()) {
            execute(TapUntapEffect(EffectTarget.SpecificEntity(id), true), id, controller)
        }
        // What enters tapped by its own text stays so.
        state = state.updateEntity(id) {
            var one = it
            // Turns have gone by since: the engine's own turn takes these two away.
            if (!entry.flag("new")) one = one.without<SummoningSicknessComponent>().without<EnteredThisTurnComponent>()
            entry.number("damage")?.takeIf { n -> n > 0 }?.let { n -> one = one.with(DamageComponent(n)) }
            one
        }
    }

    /** Let the engine carry out one of its own effects in setup; what triggers is dropped. */
    private fun execute(effect: Effect, source: EntityId, controller: EntityId) {
        val done = World.services.effectExecutorRegistry.execute(state, effect, EffectContext(sourceId = source, controllerId = controller))
        if (done.error != null) unsupported("setting it up: ${done.error}")
        state = done.state
    }

    /** Cast (or play) something in setup and let it resolve, with the choices of its entry. */
    private fun cast(id: EntityId, controller: EntityId, entry: Said, definition: CardDefinition) {
        val faceDown = entry.flag("face_down")
        state = state.removeFromZone(ZoneKey(controller, Zone.COMMAND), id).addToZone(ZoneKey(controller, Zone.HAND), id).copy(
            activePlayerId = controller, priorityPlayerId = controller, step = Step.PRECOMBAT_MAIN, phase = Phase.PRECOMBAT_MAIN,
            priorityPassedBy = emptySet(), turnNumber = 1,
        )
        val before = pool(controller)
        waiting.clear()
        entry.records("choices").forEachIndexed { at, choice -> waiting.add(Prepared(at, choice)) }
        if (definition.isLand) {
            state = state.updateEntity(controller) { it.with(LandDropsComponent()) }
            setUp(PlayLand(controller, id))
        } else {
            plenty(controller)
            val targets = when (val host = entry.text("attached_to")) {
                "" -> emptyList()
                in players -> unsupported("attached to a player")
                else -> listOf(ChosenTarget.Permanent(thing(host)))
            }
            setUp(CastSpell(controller, id, targets, paymentStrategy = PaymentStrategy.FromPool, castFaceDown = faceDown))
            state = state.copy(stack = listOf(id))
            for (n in players.indices) if (state.stack.isNotEmpty()) setUp(PassPriority(state.priorityPlayerId ?: controller))
        }
        // Setup makes no triggers.
        state = state.copy(stack = emptyList(), pendingDecision = null, continuationStack = emptyList())
        if (waiting.isNotEmpty()) unsupported("choices as it enters that the engine does not ask for")
        pool(controller, before)
    }

    private fun setUp(action: GameAction) {
        val done = World.processor.process(state, action).result
        if (done.error != null) unsupported("this cannot enter before the game begins: ${done.error}")
        state = done.state
        while (state.pendingDecision != null && state.pendingDecision!!.context.phase != DecisionPhase.TRIGGER) {
            val decision = state.pendingDecision!!
            val answered = World.processor.process(state, SubmitDecision(decision.playerId, answer(decision))).result
            if (answered.error != null) unsupported("this cannot enter before the game begins: ${answered.error}")
            state = answered.state
        }
    }

    /** The moment at which the script begins: nothing happened this turn yet. */
    private fun start(start: Said, fresh: Map<EntityId, ComponentContainer>) {
        val first = player(start.text("turn"))
        val step = step(start.text("step"))
        if (step in listOf(Step.UNTAP, Step.DECLARE_ATTACKERS, Step.DECLARE_BLOCKERS, Step.FIRST_STRIKE_COMBAT_DAMAGE, Step.COMBAT_DAMAGE, Step.CLEANUP)) {
            throw NoStop("beginning in the step ${start.text("step")}")
        }
        // What the engine itself forgets when a turn begins: what was cast, entered and moved in the turn before.
        state = state.copy(
            activePlayerId = first, priorityPlayerId = first, step = step, phase = step.phase, priorityPassedBy = emptySet(),
            turnNumber = 2 + players.size, spellsCastThisTurn = 0, playerSpellsCastThisTurn = emptyMap(),
            spellsCastThisTurnByPlayer = emptyMap(), nonlandPermanentLeftBattlefieldThisTurn = false, lastCastSpellColors = null,
        )
        for ((player, container) in fresh) state = state.withEntity(player, container)
        waiting.clear()
    }

    // --------------------------------------------------------------------------------- what things are called

    private fun thing(id: String): EntityId = ids[id] ?: unsupported("$id is nothing here")
    private fun player(id: String): EntityId = seats[id] ?: unsupported("$id is no player")
    private fun tapped(): Set<EntityId> = state.getBattlefield().filter { state.getEntity(it)!!.has<TappedComponent>() }.toSet()
    private fun isPlayer(id: EntityId) = id in state.turnOrder
    private fun name(id: EntityId): String = if (isPlayer(id)) players.first { seats[it] == id } else names[id] ?: "something"
    private fun nameOrNull(id: EntityId?): String? = id?.let(::name)

    private fun whereabouts(id: EntityId): ZoneKey? {
        if (id in state.stack) return ZoneKey(id, Zone.STACK)
        return state.zones.entries.firstOrNull { id in it.value }?.key
    }

    /** A target by its name: a player, a thing, or an ability on the stack. */
    private fun target(name: String): ChosenTarget {
        seats[name]?.let { return ChosenTarget.Player(it) }
        val place = stackNames().indexOf(name)
        if (place >= 0) return ChosenTarget.Spell(state.stack[place])
        val id = thing(name)
        val where = whereabouts(id)
        return when (where?.zoneType) {
            Zone.BATTLEFIELD, null -> ChosenTarget.Permanent(id)
            Zone.STACK -> ChosenTarget.Spell(id)
            else -> ChosenTarget.Card(id, where.ownerId, where.zoneType)
        }
    }

    private fun entity(target: ChosenTarget): EntityId = when (target) {
        is ChosenTarget.Player -> target.playerId
        is ChosenTarget.Permanent -> target.entityId
        is ChosenTarget.Card -> target.cardId
        is ChosenTarget.Spell -> target.spellEntityId
    }

    /** What is on the stack, bottom to top. */
    private fun stackNames(): List<String> {
        val met = HashMap<String, Int>()
        return state.stack.map { id ->
            val container = state.getEntity(id)!!
            val trigger = container.get<TriggeredAbilityOnStackComponent>()
            val activated = container.get<ActivatedAbilityOnStackComponent>()
            val known = called[id]
            val base = when {
                known != null -> known
                trigger != null -> "${triggerName(trigger)} of ${name(trigger.sourceId)}"
                activated != null -> "ability of ${name(activated.sourceId)}"
                id in names -> name(id)
                else -> "copy of ${copied(container)}"
            }
            val count = (met[base] ?: 0) + 1
            met[base] = count
            if (count > 1 && " of " in base) "$base ($count)" else base
        }
    }

    private fun triggerName(trigger: TriggeredAbilityOnStackComponent): String {
        // Our own names stand in the engine's descriptions; those of its own keywords begin with the keyword.
        for (text in listOf(trigger.descriptionOverride, trigger.description)) {
            if (text in Maker.words) return text!!
            val word = text.orEmpty().substringBefore(" — ").lowercase()
            if (word in listOf("storm", "persist", "undying", "evoke", "rebound", "ward")) return word
        }
        // Abilities that the engine makes of a keyword alone have no name.
        return when (trigger.effect) {
            is WardCounterEffect -> "ward"
            PROWESS -> if (state.projectedState.hasKeyword(trigger.sourceId, Keyword.PROWESS)) "prowess" else "later"
            Flanking.blockedByNonFlankerTrigger.effect -> "flanking"
            else -> "later"
        }
    }

    /** The spell that a copy on the stack is a copy of, as far as its name tells. */
    private fun copied(container: ComponentContainer): String {
        val name = container.get<CardComponent>()?.name
        val same = { id: EntityId -> state.getEntity(id)?.get<CardComponent>()?.name == name }
        val below = state.stack.lastOrNull { it in names && same(it) }
        return below?.let(::name) ?: ids.entries.firstOrNull { same(it.value) }?.key ?: name ?: "something"
    }

    // -------------------------------------------------------------------------------------- moving the engine

    /** Do something, and answer what the engine asks meanwhile; it may refuse. */
    private fun act(action: GameAction) {
        val done = World.processor.process(state, action).result
        if (done.error != null) throw Rejected(done.error!!)
        state = done.state
        decide()
    }

    /** Do all of it, or leave everything as it was. */
    private fun <T> whole(deed: () -> T): T {
        val (before, prepared) = state to ArrayList(waiting)
        val (calls, payments) = HashMap(called) to HashMap(paid)
        try {
            return deed()
        } catch (not: Not) {
            state = before
            waiting.clear()
            waiting.addAll(prepared)
            called.clear()
            called.putAll(calls)
            paid.clear()
            paid.putAll(payments)
            throw not
        }
    }

    private fun pool(player: EntityId): ManaPoolComponent = state.getEntity(player)?.get<ManaPoolComponent>() ?: ManaPoolComponent()

    private fun pool(player: EntityId, pool: ManaPoolComponent) {
        state = state.updateEntity(player) { it.with(pool) }
    }

    /** More mana than anything costs. */
    private fun plenty(player: EntityId) {
        val now = pool(player)
        pool(player, now.copy(white = now.white + 6, blue = now.blue + 6, black = now.black + 6, red = now.red + 6, green = now.green + 6, colorless = now.colorless + 15))
    }

    /** Who has to declare attackers or blockers before anything else, if anybody. */
    private fun declarer(): EntityId? {
        val holder = state.priorityPlayerId ?: return null
        if (state.gameOver) return null
        return when (state.step) {
            Step.DECLARE_ATTACKERS ->
                holder.takeIf { it == state.activePlayerId && !state.getEntity(it)!!.has<AttackersDeclaredThisCombatComponent>() }
            Step.DECLARE_BLOCKERS ->
                holder.takeIf { it != state.activePlayerId && defends(it) && !state.getEntity(it)!!.has<BlockersDeclaredThisCombatComponent>() }
            else -> null
        }
    }

    private fun defends(player: EntityId) = com.wingedsheep.engine.mechanics.combat.CombatDefenders.isDefendingPlayer(state, player)

    private fun holder(): EntityId? =
        if (state.gameOver || state.pendingDecision != null || declarer() != null) null else state.priorityPlayerId

    private fun passHolder() {
        holder()?.let(::pass)
    }

    /** One player passes. What resolves then may ask for mana, which is free; the engine looks for it before it asks. */
    private fun pass(player: EntityId) {
        val top = state.stack.lastOrNull()?.let { state.getEntity(it) }
        val trigger = top?.get<TriggeredAbilityOnStackComponent>()
        val activated = top?.get<ActivatedAbilityOnStackComponent>()
        val effect = trigger?.effect ?: activated?.effect ?: World.registry.getCard(top?.get<CardComponent>()?.cardDefinitionId ?: "")?.script?.spellEffect
        val payer = when {
            effect is WardCounterEffect -> trigger?.targetingSourceEntityId?.let { state.getEntity(it) }?.let(::controllerOnStack)
            else -> trigger?.controllerId ?: activated?.controllerId ?: top?.let(::controllerOnStack)
        }
        if (effect == null || payer == null || !asksForMana(effect)) return act(PassPriority(player))
        val before = pool(payer)
        plenty(payer)
        act(PassPriority(player))
        pool(payer, before)
    }

    /** Who controls a spell or an ability on the stack. */
    private fun controllerOnStack(item: ComponentContainer): EntityId? =
        item.get<SpellOnStackComponent>()?.casterId
            ?: item.get<ActivatedAbilityOnStackComponent>()?.controllerId
            ?: item.get<TriggeredAbilityOnStackComponent>()?.controllerId

    private fun asksForMana(effect: Effect): Boolean = when (effect) {
        is PayOrSufferEffect, is WardCounterEffect -> true
        is GatedEffect -> effect.gate is Gate.MayPay || asksForMana(effect.then)
        is CompositeEffect -> effect.effects.any(::asksForMana)
        else -> false
    }

    /** Nobody attacks, nobody blocks. */
    private fun declareNone() {
        val player = declarer() ?: return
        try {
            act(if (state.step == Step.DECLARE_ATTACKERS) DeclareAttackers(player, emptyMap()) else DeclareBlockers(player, emptyMap()))
        } catch (not: Rejected) {
            throw Asked("attackers or blockers that are required")
        }
    }

    /** Who has no creature that can block has nothing to declare; the engine waits for it all the same. */
    private fun blockWithNothing() {
        val player = declarer() ?: return
        if (state.step == Step.DECLARE_BLOCKERS && World.services.turnManager.getValidBlockers(state, player).isEmpty()) declareNone()
    }

    // ------------------------------------------------------------------------------------------- THE QUESTIONS

    /** Answer what the engine asks, as the script says. */
    private fun decide() {
        repeat(200) {
            val decision = state.pendingDecision ?: return
            // How damage is divided is said by an action of its own, if it was not said before.
            if (decision is CombatResolutionDecision && undivided(decision).isNotEmpty()) return
            val done = World.processor.process(state, SubmitDecision(decision.playerId, answer(decision))).result
            if (done.error != null) throw Asked("an answer that the engine refuses: ${done.error}")
            state = done.state
        }
        throw Endless("questions without end")
    }

    /** The first answer prepared for such a question, used up. */
    private fun prepared(kinds: List<String>, by: EntityId, asker: EntityId?): List<JsonElement>? {
        val who = name(by)
        val whom = asker?.let(names::get)
        val place = waiting.indexOfFirst {
            val meant = it.choice.text("for")
            val same = meant.isEmpty() || whom == null || meant == whom || meant.endsWith(" of $whom") || " of $whom (" in meant
            it.choice.text("kind") in kinds && it.choice.text("by") == who && same
        }
        return if (place < 0) null else waiting.removeAt(place).choice.list("answer")
    }

    /** The same; if there is none, the play ends with the question. */
    private fun needed(kinds: List<String>, by: EntityId, asker: EntityId?): List<JsonElement> =
        prepared(kinds, by, asker) ?: throw Asked("${kinds[0]} by ${name(by)}" + (asker?.let(names::get)?.let { " for $it" } ?: ""))

    private fun words(answer: List<JsonElement>) = answer.map { (it as JsonPrimitive).content }

    private fun entities(answer: List<JsonElement>) = words(answer).map { entity(target(it)) }

    /** The response to what the engine asks. */
    private fun answer(decision: PendingDecision): DecisionResponse {
        val (id, by) = decision.id to decision.playerId
        val asker = decision.context.sourceId?.let { source(it) }
        return when (decision) {
            is ChooseTargetsDecision -> {
                val legal = decision.targetRequirements.associate { it.index to (decision.legalTargets[it.index] ?: emptyList()) }
                fun isForced(one: TargetRequirementInfo) = legal.getValue(one.index).let { it.isEmpty() || it.size == one.minTargets && one.minTargets == one.maxTargets }
                if (decision.targetRequirements.all(::isForced)) {
                    prepared(listOf("targets"), by, asker)
                    TargetsResponse(id, legal)
                } else {
                    // A play answers one question for each requirement with a choice; the engine may ask for fewer than it says.
                    TargetsResponse(id, decision.targetRequirements.associate { one ->
                        one.index to if (isForced(one)) legal.getValue(one.index) else entities(needed(listOf("targets"), by, asker)).take(one.maxTargets)
                    })
                }
            }
            is SelectCardsDecision -> {
                val copy = id.startsWith("clone-enters")
                val kinds = when {
                    copy -> listOf("copy")
                    decision.context.phase == DecisionPhase.STATE_BASED -> listOf("keep", "cards")
                    else -> listOf("cards", "object", "keep", "targets")
                }
                if (copy && decision.minSelections == 0) {
                    val may = prepared(listOf("may"), by, asker)
                    if (may != null && words(may) == listOf("false")) return CardsSelectedResponse(id, emptyList())
                }
                if (decision.minSelections == decision.maxSelections && decision.options.size == decision.minSelections) {
                    prepared(kinds, by, asker)
                    CardsSelectedResponse(id, decision.options)
                } else {
                    CardsSelectedResponse(id, entities(needed(kinds, by, asker)))
                }
            }
            is YesNoDecision -> {
                val yes = words(needed(listOf("may"), by, asker)) == listOf("true")
                // To explore is "you may put it into your graveyard"; the engine asks the opposite.
                YesNoResponse(id, if (decision.prompt.endsWith("(No = graveyard)")) !yes else yes)
            }
            is BatchYesNoDecision -> BatchYesNoResponse(id, words(needed(listOf("may"), by, asker)) == listOf("true"), false)
            is ChooseModeDecision -> ModesChosenResponse(id, words(needed(listOf("modes", "option"), by, asker)).map { it.toInt() - 1 })
            is ChooseColorDecision -> ColorChosenResponse(id, color(words(needed(listOf("color"), by, asker)).first()))
            is ChooseNumberDecision -> NumberChosenResponse(id, words(needed(listOf("number", "x"), by, asker)).first().toInt())
            is OrderObjectsDecision -> OrderedResponse(id, entities(needed(listOf("order"), by, asker)))
            is DistributeDecision -> DistributionResponse(
                id, needed(listOf("division"), by, asker).associate { share -> (share as JsonObject).let { entity(target(it.text("to"))) to (it.number("n") ?: 0) } },
            )
            is ChooseOptionDecision -> option(decision, asker)
            is ChooseReplacementDecision -> {
                val card = asker?.let { state.getEntity(it)?.get<CardComponent>()?.cardDefinitionId }?.let { World.registry.getCard(it) }
                val (old, new) = Maker.replaced[card] ?: words(needed(listOf("word"), by, asker))
                Maker.colorWords[card]?.let { if (it != (old in COLORS)) unsupported("a word of another kind than the card's") }
                val from = decision.fromOptions.indexOfFirst { it.equals(old, true) }
                val to = decision.toOptions.indexOfFirst { it.equals(new, true) }
                if (from < 0 || to < 0) throw Asked("an answer that the engine does not offer: $old, $new")
                ReplacementChosenResponse(id, from, to)
            }
            is SearchLibraryDecision -> CardsSelectedResponse(id, entities(needed(listOf("cards", "object"), by, asker)))
            is SelectManaSourcesDecision -> {
                if (decision.canDecline && words(needed(listOf("may"), by, asker)) != listOf("true")) {
                    ManaSourcesSelectedResponse(id, declined = true)
                } else {
                    plenty(by)
                    ManaSourcesSelectedResponse(id, autoPay = true)
                }
            }
            is CombatResolutionDecision -> damage(decision)
            else -> unsupported("the question ${decision::class.simpleName}")
        }
    }

    /** What asks: an ability on the stack stands for its source. */
    private fun source(id: EntityId): EntityId {
        val container = state.getEntity(id) ?: return id
        return container.get<TriggeredAbilityOnStackComponent>()?.sourceId ?: container.get<ActivatedAbilityOnStackComponent>()?.sourceId ?: id
    }

    private fun option(decision: ChooseOptionDecision, asker: EntityId?): DecisionResponse {
        if (decision.options.size == 1) {
            prepared(listOf("option", "type", "name", "word", "player"), decision.playerId, asker)
            return OptionChosenResponse(decision.id, 0)
        }
        val answer = words(needed(listOf("option", "type", "color", "name", "word", "player", "object", "modes"), decision.playerId, asker)).first()
        val place = decision.options.indexOfFirst { it.equals(answer, true) }
        if (place < 0) throw Asked("an answer that the engine does not offer: $answer")
        return OptionChosenResponse(decision.id, place)
    }

    /** What was said of how damage is divided. */
    private fun divisions(decision: CombatResolutionDecision) =
        waiting.filter { it.choice.text("do") == "assign" && it.choice.text("by") == name(decision.playerId) }

    /** What may divide its damage, and of which nothing was said. */
    private fun undivided(decision: CombatResolutionDecision): List<String> {
        val said = divisions(decision).flatMap { it.choice.records("assignments") }.map { it.text("by") }
        val open = decision.edges.groupBy { it.sourceId }.filter { (_, edges) -> edges.size > 1 && edges.any { it.editableBy == decision.playerId } }
        return open.filterValues { !onlyWay(it, decision) }.keys.map(::name) - said.toSet()
    }

    /** Whether all damage of an attacker with trample has to go to its only blocker, which blocks nothing else. The engine asks even then. */
    private fun onlyWay(edges: List<DamageEdge>, decision: CombatResolutionDecision): Boolean {
        val toBlocker = edges.singleOrNull { !it.isTrampleDrain } ?: return false
        return toBlocker.lethal >= toBlocker.maximum && decision.edges.count { it.targetId == toBlocker.targetId } == 1
    }

    /** Nothing goes on before damage is divided. */
    private fun divided() {
        (state.pendingDecision as? CombatResolutionDecision)?.let { throw Asked("division by ${undivided(it).joinToString()}") }
    }

    /** How combat damage is divided: what was said of an attacker, and the engine's own proposal for the others. */
    private fun damage(decision: CombatResolutionDecision): DecisionResponse {
        val said = divisions(decision)
        val shares = said.flatMap { it.choice.records("assignments") }.associate { it.text("by") to it.records("shares") }
        waiting.removeAll(said.toSet())
        for ((by, own) in shares) {
            val offered = decision.edges.filter { name(it.sourceId) == by }.map { name(it.targetId) }
            own.find { it.text("to") !in offered }?.let { unsupported("damage of $by to ${it.text("to")}, which the engine does not offer") }
        }
        return CombatResolutionResponse(
            decision.id,
            decision.edges.map { edge ->
                val own = shares[name(edge.sourceId)]
                DamageEdgeAmount(edge.id, if (own == null) edge.amount else own.find { it.text("to") == name(edge.targetId) }?.number("n") ?: 0)
            },
        )
    }

    // --------------------------------------------------------------------------------------------- THE ACTIONS

    /** One action of the script. */
    fun perform(at: Int, action: Said) {
        if (action.text("do") in listOf("play", "cast")) {
            val card = state.getEntity(thing(action.text("what")))?.get<CardComponent>()?.cardDefinitionId
            if (card?.let(World.registry::getCard) in Maker.askers) unsupported("entering tapped or untapped")
        }
        if (action.text("do") !in listOf("choose", "assign")) divided()
        if (action.text("do") in listOf("pass", "settle", "resolve", "cast", "activate")) blockWithNothing()
        when (action.text("do")) {
            "pass" -> when (action.text("who")) {
                "everyone" -> whole(::passEveryone)
                else -> whole { pass(player(action.text("who"))) }
            }
            "settle" -> whole { passing { state.stack.isEmpty() && holder() != null } }
            "resolve" -> {
                val place = stackNames().indexOf(action.text("what"))
                if (place < 0) throw Rejected("${action.text("what")} is not on the stack")
                val id = state.stack[place]
                whole { passing { id !in state.stack && holder() != null } }
            }
            "advance" -> whole { advance(action) }
            "cast" -> announced(action, ::cast)
            "activate" -> announced(action, ::activate)
            "play" -> whole {
                action.only("playing", "do", "what", "by")
                act(PlayLand(player(action.text("by")), thing(action.text("what"))))
            }
            "turn_up" -> announced(action, ::turnUp)
            "attack" -> whole { attack(action) }
            "block" -> whole { block(action) }
            "choose" -> if (action.text("kind") == "random") unsupported("what chance chooses") else waiting.add(Prepared(at, action))
            "assign" -> whole {
                waiting.add(Prepared(at, action))
                if (state.pendingDecision is CombatResolutionDecision) assign()
            }
            "call" -> call(action)
            else -> unsupported("the action ${action.text("do")}")
        }
    }

    /** Announce something. If it is refused, all is as before; mana that was made for it stays where the script says so. */
    private fun announced(action: Said, deed: (Said) -> Unit) {
        try {
            whole { deed(action) }
        } catch (not: Rejected) {
            val pay = action.record("pay")
            if (pay != null && pay.records("steps").any { sacrificed(it) }) unsupported("mana abilities that sacrifice, which come before the announcement here")
            // By the rules only what would be legal with free mana came to the payment; what would have come after an illegal step was never done.
            if (pay != null && !pay.flag("undo_mana") && ("mana" in not.says || legalForFree(action, deed))) {
                val by = player(action.text("by"))
                try {
                    for (step in pay.records("steps")) whole { makeMana(by, step, pay) }
                } catch (again: Not) {
                    throw not
                }
            }
            throw not
        }
    }

    /** Whether a rejected action is legal with free mana. */
    private fun legalForFree(action: Said, deed: (Said) -> Unit): Boolean {
        var legal = false
        try {
            whole<Unit> {
                deed(JsonObject(action + ("pay" to JsonNull)))
                legal = true
                throw Rejected("it was only asked")
            }
        } catch (_: Not) {
        }
        return legal
    }

    /** Whether a mana ability that is named takes its own source away. */
    private fun sacrificed(step: Said): Boolean {
        val card = ids[step.text("activate")]?.let { state.getEntity(it)?.get<CardComponent>() } ?: return false
        val own = World.registry.getCard(card.cardDefinitionId)?.script?.activatedAbilities.orEmpty()
        return own.any { Maker.names[it.id] == step.text("ability") && "acrifice" in it.cost.description }
    }

    private fun passing(done: () -> Boolean) {
        repeat(1000) {
            if (done() || state.gameOver) return
            divided()
            if (declarer() != null) declareNone() else passHolder()
        }
        throw Endless("a thousand passes")
    }

    /** All pass, the holder first, until one object has resolved or one step has ended. */
    private fun passEveryone() {
        val top = state.stack.lastOrNull()
        val moment = state.turnNumber to state.step
        for (n in 0..players.size) {
            if (holder() == null) throw Rejected("nobody has priority")
            passHolder()
            if (top != null && top !in state.stack || moment != state.turnNumber to state.step || holder() == null) return
        }
    }

    /** Everyone passes to the next first priority in a step, strictly after now. */
    private fun advance(action: Said) {
        val wanted = step(action.text("to"))
        val turn = action.text("turn").takeIf { it.isNotEmpty() }?.let(::player)
        val begun = state.turnNumber to state.step.ordinal
        repeat(1000) {
            if (state.gameOver) return
            divided()
            if (declarer() != null) declareNone() else passHolder()
            val now = state.turnNumber to state.step.ordinal
            val meant = turn == null || turn == state.activePlayerId
            val ahead = now.first > begun.first || wanted.ordinal > begun.second
            if (meant && ahead && now.second == wanted.ordinal && now != begun && holder() != null) return
            val goneBy = if (now.first == begun.first) ahead && now.second > wanted.ordinal else now.second > wanted.ordinal
            val passedOver = turn == null && now.first > begun.first && wanted.ordinal > begun.second
            if (!state.gameOver && (meant && goneBy || passedOver)) throw NoStop("nobody gets priority in ${action.text("to")}")
        }
        throw Endless("a thousand passes")
    }

    /** The engine takes one list, in which nothing stands for a target that is left out. */
    private fun chosenTargets(action: Said): List<ChosenTarget> {
        val groups = action.list("targets").map { (it as? JsonArray) ?: listOf(it) }
        if (groups.dropLastWhile { it.isEmpty() }.any { it.isEmpty() }) unsupported("leaving out a target before another one")
        return groups.flatten().map { target((it as JsonPrimitive).content) }
    }

    private fun division(action: Said): Map<EntityId, Int>? = action.records("divide").takeIf { it.isNotEmpty() }
        ?.associate { entity(target(it.text("to"))) to (it.number("n") ?: 0) }

    private fun cast(action: Said) {
        action.only("cast", "do", "what", "by", "targets", "modes", "x", "divide", "costs", "pay", "as", "face_down")
        val (id, by) = thing(action.text("what")) to player(action.text("by"))
        val costs = action.records("costs")
        val delving = World.registry.getCard(state.getEntity(id)!!.get<CardComponent>()!!.cardDefinitionId)?.keywords?.contains(Keyword.DELVE) == true
        if (delving && costs.any { it.text("kind") == "exile" }) unsupported("delving, which is no additional cost there")
        val convoked = World.registry.getCard(state.getEntity(id)!!.get<CardComponent>()!!.cardDefinitionId)?.keywords?.contains(Keyword.CONVOKE) == true
        if (convoked && costs.any { it.text("kind") == "tap" }) unsupported("convoke: the engine wants to know which mana each creature pays for")
        val costing = costing(costs, "kicked", "method")
        val (free, methods) = costs.filter { it.text("kind") == "method" }.flatMap { it.texts("ids") }.partition { it in Maker.free }
        if (methods.size > 1) unsupported("casting in several ways at once")
        val method = methods.firstOrNull()
        val kicks = costs.find { it.text("kind") == "kicked" }?.let { it.number("n") ?: 1 } ?: 0
        if (kicks > 1) unsupported("kicking several times")
        val modes = action.list("modes").map { (it as JsonPrimitive).content.toInt() - 1 }
        val targets = chosenTargets(action)
        val untouched = state
        val before = paying(by, action)
        if (holder() != by) throw Rejected("${name(by)} has no priority")
        val move = CastSpell(
            by, id, targets, xValue = action.number("x"), paymentStrategy = PaymentStrategy.FromPool, additionalCostPayment = costing,
            castFaceDown = action.flag("face_down"), declaredCostSlot = if (kicks > 0) ChoiceSlot.KICKED else null,
            damageDistribution = division(action), chosenModes = modes,
            modeTargetsOrdered = if (modes.isEmpty()) emptyList() else modeTargets(id, modes, targets),
            useAlternativeCost = method != null, useWithoutPayingManaCost = free.isNotEmpty(),
            alternativeCostType = when (method) {
                null -> null
                "flashback" -> AlternativeCostType.FLASHBACK
                "evoke" -> AlternativeCostType.EVOKE
                else -> unsupported("casting by $method")
            },
        )
        val price = price(by, move, untouched)
        val ready = pool(by)
        act(move)
        if (id !in state.stack) throw Rejected("it is not on the stack")
        val tapped = action.record("pay")?.records("steps").orEmpty().any { it.text("activate").isNotEmpty() }
        if (tapped && pool(by) == ready) unsupported("mana abilities for a spell that costs no mana, which come before the announcement here")
        price?.let { paid[id] = it }
        action.text("as").takeIf { it.isNotEmpty() }?.let { called[id] = it }
        giveBack(by, action, before)
    }

    /** The targets of each mode, told apart by how many it has. */
    private fun modeTargets(id: EntityId, modes: List<Int>, targets: List<ChosenTarget>): List<List<ChosenTarget>> {
        val definition = World.registry.getCard(state.getEntity(id)!!.get<CardComponent>()!!.cardDefinitionId)
        val effect = definition?.script?.spellEffect as? ModalEffect ?: unsupported("modes of such a card")
        val left = ArrayDeque(targets)
        return modes.map { mode ->
            val n = effect.modes.getOrNull(mode)?.targetRequirements?.sumOf { it.count } ?: 0
            List(minOf(n, left.size)) { left.removeFirst() }
        }
    }

    /** With what a cost is paid, as the engine wants to be told. */
    private fun costing(costs: List<Said>, vararg elsewhere: String): AdditionalCostPayment? {
        var payment = AdditionalCostPayment.NONE
        for (cost in costs) {
            val things = if (cost.text("kind") in elsewhere) emptyList() else cost.texts("ids").map(::thing)
            payment = when (cost.text("kind")) {
                "sacrifice" -> payment.copy(sacrificedPermanents = payment.sacrificedPermanents + things)
                "discard" -> payment.copy(discardedCards = payment.discardedCards + things)
                "exile" -> payment.copy(exiledCards = payment.exiledCards + things)
                "tap" -> payment.copy(tappedPermanents = payment.tappedPermanents + things)
                "return" -> payment.copy(bouncedPermanents = payment.bouncedPermanents + things)
                in elsewhere -> payment
                else -> unsupported("saying how to pay: ${cost.text("kind")}")
            }
        }
        return payment.takeUnless { it.isEmpty }
    }

    private fun activate(action: Said) {
        action.only("activate", "do", "what", "ability", "by", "targets", "x", "divide", "costs", "pay", "produces", "as")
        val (id, by) = thing(action.text("what")) to player(action.text("by"))
        val word = action.text("ability")
        val produces = action.text("produces").takeIf { it.isNotEmpty() }
        val before = paying(by, action)
        if (holder() != by) throw Rejected("${name(by)} has no priority")
        val onStack = state.stack.toSet()
        if (word in listOf("crew", "saddle")) {
            val told = waiting.firstOrNull { it.choice.text("kind") == "cards" && it.choice.text("by") == action.text("by") && it.choice.text("for") == name(id) }
                ?: unsupported("who is tapped to $word")
            waiting.remove(told)
            val tapped = told.choice.texts("answer").map(::thing)
            act(if (word == "crew") CrewVehicle(by, id, tapped) else SaddleMount(by, id, tapped))
        } else if (word == "cycling") {
            act(CycleCard(by, id, PaymentStrategy.FromPool))
        } else {
            val costing = costing(action.records("costs"))
            val targets = chosenTargets(action)
            var refusal: Rejected? = null
            val done = abilities(id, word, produces).any { (ability, color) ->
                try {
                    whole {
                        act(
                            ActivateAbility(
                                by, id, ability, targets, costing, manaColorChoice = color, xValue = action.number("x"),
                                paymentStrategy = PaymentStrategy.FromPool, damageDistribution = division(action),
                            ),
                        )
                    }
                    true
                } catch (not: Rejected) {
                    refusal = refusal ?: not
                    false
                }
            }
            if (!done) {
                if (givenAbilities(id).any { it.id !in Maker.names }) unsupported("an ability that the engine's own card grants")
                val says = refusal?.says ?: throw Rejected("it has no ability $word")
                if (UNCHOSEN.matches(says) && costing == null && payable(id, by, word)) unsupported(says)
                throw Rejected(says)
            }
        }
        val new = state.stack.firstOrNull { it !in onStack && state.getEntity(it)?.get<ActivatedAbilityOnStackComponent>()?.sourceId == id }
        if (new != null) called[new] = action.text("as").ifEmpty { "$word of ${name(id)}" }
        giveBack(by, action, before)
    }

    /** Whether the player has enough permanents that could be returned or tapped to pay for an ability of that name. */
    private fun payable(id: EntityId, by: EntityId, word: String): Boolean {
        val such = abilities(id, word, null).map { it.first }.toSet()
        val mine = state.getBattlefield().filter { state.projectedState.getController(it) == by }
        fun fit(filter: GameObjectFilter) = mine.filter { PredicateEvaluator().matches(state, state.projectedState, it, filter, PredicateContext(controllerId = by)) }
        return (ownAbilities(id) + givenAbilities(id)).filter { it.id in such }.flatMap { atoms(it.cost) }.any { cost ->
            when (cost) {
                is CostAtom.ReturnToHand -> fit(cost.filter).size >= cost.count
                is CostAtom.TapPermanents -> fit(cost.filter).count { state.getEntity(it)?.has<TappedComponent>() != true && !(cost.excludeSelf && it == id) } >= cost.count
                else -> false
            }
        }
    }

    private fun atoms(cost: AbilityCost): List<CostAtom> = when (cost) {
        is AbilityCost.Atom -> listOf(cost.atom)
        is AbilityCost.Composite -> cost.costs.flatMap(::atoms)
        else -> emptyList()
    }

    /** The abilities of that name that an object may have; the engine knows which of them it has now. */
    private fun abilities(id: EntityId, word: String, produces: String?): List<Pair<AbilityId, Color?>> {
        val own = ownAbilities(id)
        if (state.getEntity(id)?.has<TokenComponent>() == true && own.isNotEmpty() && own.none { it.id in Maker.names }) {
            // The engine's own token: nobody has told the names of its abilities.
            val such = own.filter { it.isManaAbility == (word == "mana") }.singleOrNull() ?: unsupported("which ability of a token is called $word")
            return listOf(such.id to if (asksForColor(such.effect)) produces?.let(::manaColor) else null)
        }
        val found = (own + givenAbilities(id)).filter { Maker.names[it.id] == word }
            .filter { produces == null || makes(it.effect, manaColor(produces)) }
            .also { if (it.size > 1 && waiting.any { one -> one.choice.text("kind") == "object" }) unsupported("which source granted the ability") }
            .map { it.id to if (asksForColor(it.effect)) produces?.let(::manaColor) else null }
        if (word != "mana") return found
        return found + Color.entries.filter { produces == null || it == manaColor(produces) }.map { AbilityId.intrinsicMana(it.symbol) to null }
    }

    private fun asksForColor(effect: Effect): Boolean = when (effect) {
        is AddManaOfChoiceEffect, is AddAnyColorManaSpendOnChosenTypeEffect -> true
        is CompositeEffect -> effect.effects.any(::asksForColor)
        else -> false
    }

    private fun ownAbilities(id: EntityId): List<ActivatedAbility> =
        World.registry.getCard(state.getEntity(id)?.get<CardComponent>()?.cardDefinitionId ?: "")?.script?.activatedAbilities ?: emptyList()

    /** The abilities that an effect gave an object, and those that permanents may give it. */
    private fun givenAbilities(id: EntityId): List<ActivatedAbility> =
        state.grantedActivatedAbilities.filter { it.entityId == id }.map { it.ability } + state.getBattlefield().flatMap { other ->
            World.registry.getCard(state.getEntity(other)?.get<CardComponent>()?.cardDefinitionId ?: "")?.script?.staticAbilities.orEmpty().flatMap(::granted)
        }

    /** Whether a mana ability may make mana of a color, or colorless mana. */
    private fun makes(effect: Effect, color: Color?): Boolean = when (effect) {
        is AddManaEffect -> effect.color == color
        is AddColorlessManaEffect -> color == null
        else -> true
    }

    private fun granted(ability: StaticAbility): List<ActivatedAbility> = when (ability) {
        is GrantActivatedAbility -> listOf(ability.ability)
        is CompositeStaticAbility -> ability.abilities.flatMap(::granted)
        is ConditionalStaticAbility -> granted(ability.ability)
        else -> emptyList()
    }

    private fun manaColor(word: String): Color? = COLORS[word] ?: Color.fromSymbol(word.trim('{', '}').singleOrNull() ?: '?')

    private fun turnUp(action: Said) {
        action.only("turning up", "do", "what", "by", "pay")
        val by = player(action.text("by"))
        val before = paying(by, action)
        act(TurnFaceUp(by, thing(action.text("what")), PaymentStrategy.FromPool))
        giveBack(by, action, before)
    }

    /** Make ready what pays: plenty, or just the mana abilities that are named. The pool as it was before. */
    private fun paying(by: EntityId, action: Said): ManaPoolComponent {
        val before = pool(by)
        val tapped = tapped()
        val pay = action.record("pay")
        if (pay == null) {
            plenty(by)
            return before
        }
        val same = pay.records("steps").any { it.text("activate") == action.text("what") && it.text("ability") == action.text("ability") }
        if (same && action.text("do") == "activate") unsupported("an ability that pays for itself: what pays is activated before")
        for (step in pay.records("steps")) makeMana(by, step, pay)
        tappedBefore = tapped
        // What was in the pool and is not named is kept out of the engine's reach.
        val kept = setAside(before, pay)
        val now = pool(by)
        pool(by, now.copy(
            white = now.white - kept.white, blue = now.blue - kept.blue, black = now.black - kept.black,
            red = now.red - kept.red, green = now.green - kept.green, colorless = now.colorless - kept.colorless,
        ))
        return before
    }

    /** Activate the mana ability that a step of a payment names, if it names one; mana of the pool that the payment names may pay for it. */
    private fun makeMana(by: EntityId, step: Said, pay: Said) {
        val source = step.text("activate")
        if (source.isEmpty()) return
        val made = ids[source]?.let { state.getEntity(it)?.get<CardComponent>() }
        val own = World.registry.getCard(made?.cardDefinitionId ?: "")?.script?.activatedAbilities.orEmpty()
        if (own.any { Maker.names[it.id] == step.text("ability") && it.timing == TimingRule.SorcerySpeed }) {
            unsupported("a mana ability for the time of a sorcery, which comes before the announcement here")
        }
        val one = mutableMapOf<String, JsonElement>(
            "do" to JsonPrimitive("activate"), "what" to JsonPrimitive(source), "ability" to step["ability"]!!,
            "by" to JsonPrimitive(name(by)), "pay" to JsonObject(mapOf("steps" to JsonArray(pay.records("steps").filter { it.text("pool").isNotEmpty() }))),
        )
        step.text("choose").takeIf { it.isNotEmpty() }?.let { one["produces"] = JsonPrimitive(it) }
        activate(JsonObject(one))
    }

    /** Of the mana that was in the pool, what is not named for paying. */
    private fun setAside(before: ManaPoolComponent, pay: Said): ManaPoolComponent {
        val named = pay.records("steps").map { it.text("pool") }.flatMap(::symbols).groupingBy { it }.eachCount()
        fun left(n: Int, letter: String) = maxOf(0, n - (named[letter] ?: 0))
        return ManaPoolComponent(
            left(before.white, "W"), left(before.blue, "U"), left(before.black, "B"), left(before.red, "R"), left(before.green, "G"), left(before.colorless, "C"),
        )
    }

    /** After paying: free mana goes, and what was set aside comes back. */
    private fun giveBack(by: EntityId, action: Said, before: ManaPoolComponent) {
        val pay = action.record("pay")
        val made = made(action)
        if (pay == null) {
            pool(by, if (made) added(by, before) else before)
            return
        }
        val named = pay.records("steps").map { it.text("activate") } + action.records("costs").flatMap { it.texts("ids") } + action.text("what")
        if (tapped().any { it !in tappedBefore && name(it) !in named }) unsupported("paying with what is named alone: the engine taps more by itself")
        val kept = setAside(before, pay)
        val now = pool(by)
        pool(by, now.copy(
            white = now.white + kept.white, blue = now.blue + kept.blue, black = now.black + kept.black,
            red = now.red + kept.red, green = now.green + kept.green, colorless = now.colorless + kept.colorless,
        ))
    }

    /** Whether an action makes mana: nothing else is left of it. */
    private fun made(action: Said) = action.text("do") == "activate" && Maker.names.isNotEmpty() && action.text("ability").let { word ->
        word == "mana" || ids[action.text("what")]?.let { id ->
            val card = state.getEntity(id)?.get<CardComponent>()
            World.registry.getCard(card?.cardDefinitionId ?: "")?.script?.activatedAbilities?.any { Maker.names[it.id] == word && it.isManaAbility }
        } == true
    }

    /** The pool without the free mana that was put in before. Mana abilities that cost mana cannot be told apart from it. */
    private fun added(by: EntityId, before: ManaPoolComponent): ManaPoolComponent {
        val now = pool(by)
        val free = listOf(now.white - before.white, now.blue - before.blue, now.black - before.black, now.red - before.red, now.green - before.green)
        if (free.any { it < 6 } || now.colorless - before.colorless < 15) unsupported("mana abilities that cost mana, where mana is free")
        return now.copy(white = now.white - 6, blue = now.blue - 6, black = now.black - 6, red = now.red - 6, green = now.green - 6, colorless = now.colorless - 15)
    }

    /** What the engine takes for a spell that is announced with more mana than it costs. It is asked beside the game. */
    private fun price(by: EntityId, move: CastSpell, from: GameState): String? {
        val now = state
        state = from
        plenty(by)
        val full = pool(by)
        val done = World.processor.process(state, move).result
        state = now
        return done.state.getEntity(by)?.get<ManaPoolComponent>()?.takeIf { done.error == null }?.let { price(full, it) }
    }

    /** Mana that was spent, as a cost. Colorless mana stands for what was generic. */
    private fun price(full: ManaPoolComponent, left: ManaPoolComponent): String {
        val generic = full.colorless - left.colorless
        val colored = "{W}".repeat(maxOf(0, full.white - left.white)) + "{U}".repeat(maxOf(0, full.blue - left.blue)) +
            "{B}".repeat(maxOf(0, full.black - left.black)) + "{R}".repeat(maxOf(0, full.red - left.red)) + "{G}".repeat(maxOf(0, full.green - left.green))
        return if (generic == 0 && colored.isNotEmpty()) colored else "{$generic}$colored"
    }

    /** Divide damage as it was said, once all of it was. */
    private fun assign() {
        val decision = state.pendingDecision as CombatResolutionDecision
        if (undivided(decision).isNotEmpty()) return
        val done = World.processor.process(state, SubmitDecision(decision.playerId, answer(decision))).result
        if (done.error != null) throw Rejected(done.error!!)
        state = done.state
        decide()
    }

    private fun attack(action: Said) {
        val by = player(action.text("by"))
        if (declarer() != by || state.step != Step.DECLARE_ATTACKERS) throw Rejected("nobody declares attackers now")
        val attackers = once(action.records("attackers"), "attacker")
        act(DeclareAttackers(by, attackers.associate { thing(it.text("attacker")) to (seats[it.text("attacks")] ?: thing(it.text("attacks"))) }))
    }

    private fun block(action: Said) {
        val by = player(action.text("by"))
        // The engine also asks those before who have nothing to block with.
        if (declarer() != by) blockWithNothing()
        if (declarer() != by || state.step != Step.DECLARE_BLOCKERS) throw Rejected("nobody declares blockers now")
        act(DeclareBlockers(by, once(action.records("blockers"), "blocker").associate { thing(it.text("blocker")) to it.texts("blocks").map(::thing) }))
    }

    /** Declarations of different creatures; the engine takes a map. */
    private fun once(declared: List<Said>, creature: String): List<Said> {
        if (declared.distinctBy { it.text(creature) }.size < declared.size) unsupported("declaring a creature twice")
        return declared
    }

    /** Name the tokens that were made since the action before. */
    private fun call(action: Said) {
        val new = tokens().filter { it !in names }.sortedBy { it.value.drop(1).toLongOrNull() ?: 0 }
        for (group in action.records("tokens")) {
            val made = new.filter { withoutToken(state.getEntity(it)!!.get<CardComponent>()!!.name) == group.text("name") }
            if (made.size != group.texts("ids").size) throw Rejected("${made.size} tokens named ${group.text("name")}")
            for ((id, token) in group.texts("ids").zip(made)) {
                ids[id] = token
                names[token] = id
            }
        }
    }

    private fun tokens(): List<EntityId> = state.getBattlefield().filter { state.getEntity(it)!!.has<TokenComponent>() }

    // ----------------------------------------------------------------------------------------------- THE LOOKS

    /** What is seen now, of everything that is wanted at this look. */
    fun look(name: String): JsonObject {
        val objects = LinkedHashMap<String, JsonElement>()
        val seated = LinkedHashMap<String, JsonElement>()
        var table: JsonElement = NOTHING
        val stack = stackNames()
        for (want in scenario.records("wants")) {
            if (want.text("look") != name) continue
            val of = want.text("of")
            val keys = want.texts("keys").toSet()
            fun pick(seen: Map<String, JsonElement>) = JsonObject(seen.filterKeys { it in keys })
            val place = stack.indexOf(of)
            when {
                of == "table" -> table = pick(seenTable())
                of in seats -> seated[of] = pick(seenPlayer(of))
                place >= 0 -> objects[of] = pick(seenEntry(state.stack[place]))
                of in ids && state.getEntity(ids[of]!!)?.get<CardComponent>() != null && whereabouts(ids[of]!!) != null -> objects[of] = pick(seenObject(ids[of]!!))
            }
        }
        return JsonObject(mapOf("objects" to JsonObject(objects), "players" to JsonObject(seated), "table" to table))
    }

    private fun text(word: String?): JsonElement = if (word == null) JsonNull else JsonPrimitive(word)
    private fun texts(words: Iterable<String>) = JsonArray(words.map { JsonPrimitive(it) })

    /** A token's name as scenarios write it. */
    private fun withoutToken(name: String): String = name.removeSuffix(" Token")

    private fun seenTable(): Map<String, JsonElement> {
        val deciding = if (state.gameOver) null else state.pendingDecision?.playerId ?: declarer()
        return mapOf(
            "turn" to text(nameOrNull(state.activePlayerId)), "active" to text(nameOrNull(state.activePlayerId)),
            "step" to text(STEPS.entries.first { it.value == state.step }.key), "priority" to text(nameOrNull(holder())),
            "deciding" to text(nameOrNull(deciding)), "stack" to texts(stackNames()), "over" to JsonPrimitive(state.gameOver),
            "tokens" to JsonArray(
                tokens().map {
                    JsonObject(mapOf("name" to text(withoutToken(state.projectedState.getName(it) ?: state.getEntity(it)!!.get<CardComponent>()!!.name)), "controller" to text(nameOrNull(state.projectedState.getController(it)))))
                },
            ),
        )
    }

    private fun seenPlayer(of: String): Map<String, JsonElement> {
        val id = seats[of]!!
        val container = state.getEntity(id)!!
        fun cards(zone: Zone) = state.getZone(id, zone).map(::name)
        val pool = pool(id)
        val mana = "{W}".repeat(pool.white) + "{U}".repeat(pool.blue) + "{B}".repeat(pool.black) + "{R}".repeat(pool.red) +
            "{G}".repeat(pool.green) + "{C}".repeat(pool.colorless)
        val only = pool.restrictedMana.map { "{${it.color?.symbol ?: 'C'}}" }
        val all = (symbols(mana) + only).sortedBy { "WUBRGC".indexOf(it.trim('{', '}')) }.joinToString("") { if (it.startsWith("{")) it else "{$it}" }
        val none = MaximumHandSize.hasNoMaximum(state, id, World.registry)
        return mapOf(
            "life" to JsonPrimitive(state.lifeTotal(id)), "hand" to texts(cards(Zone.HAND)),
            "library_size" to JsonPrimitive(cards(Zone.LIBRARY).size), "library_top" to text(cards(Zone.LIBRARY).firstOrNull()),
            "graveyard" to texts(cards(Zone.GRAVEYARD).reversed()), "exile" to texts(cards(Zone.EXILE)), "pool" to JsonPrimitive(if (only.isEmpty()) mana else all),
            "lost" to JsonPrimitive(container.has<PlayerLostComponent>()),
            "hand_size" to if (none) JsonNull else JsonPrimitive(MaximumHandSize.effective(state, id, World.registry, ConditionEvaluator(), DynamicAmountEvaluator())),
            "counters" to counters(container),
        ) + if (id != state.activePlayerId) emptyMap() else {
            val left = (container.get<LandDropsComponent>()?.remaining ?: 0) + LandDropUtils.getAdditionalLandDrops(state, id, World.registry)
            mapOf("land_plays" to JsonPrimitive(left.coerceAtLeast(0)))
        }
    }

    private fun counters(container: ComponentContainer) = JsonArray(
        container.get<CountersComponent>()?.counters.orEmpty().filterValues { it > 0 }.map { (kind, n) -> counterWord(kind) to n }.sortedBy { it.first }
            .map { (kind, n) -> JsonObject(mapOf("kind" to JsonPrimitive(kind), "n" to JsonPrimitive(n))) },
    )

    private fun counterWord(kind: CounterType): String = when (kind) {
        CounterType.PLUS_ONE_PLUS_ONE -> "+1/+1"
        CounterType.MINUS_ONE_MINUS_ONE -> "-1/-1"
        CounterType.PLUS_ONE_PLUS_ZERO -> "+1/+0"
        CounterType.PLUS_ZERO_PLUS_ONE -> "+0/+1"
        CounterType.MINUS_ONE_MINUS_ZERO -> "-1/-0"
        CounterType.MINUS_ZERO_MINUS_ONE -> "-0/-1"
        else -> kind.name.lowercase().replace('_', ' ')
    }

    private fun seenObject(id: EntityId): Map<String, JsonElement> {
        val container = state.getEntity(id)!!
        val card = container.get<CardComponent>()!!
        val zone = whereabouts(id)!!.zoneType
        val spell = container.get<SpellOnStackComponent>()
        val there = zone == Zone.BATTLEFIELD
        val projected = state.projectedState
        val seen = mutableMapOf<String, JsonElement>(
            "owner" to text(nameOrNull(container.get<OwnerComponent>()?.playerId)), "counters" to counters(container),
            "face_down" to JsonPrimitive(container.has<FaceDownComponent>() || spell?.castFaceDown == true),
        )
        if (zone != Zone.COMMAND) seen["zone"] = text(zone.name.lowercase())
        if (there) {
            seen["controller"] = text(nameOrNull(projected.getController(id)))
            seen["tapped"] = JsonPrimitive(container.has<TappedComponent>())
            seen["attached_to"] = text(nameOrNull(container.get<AttachedToComponent>()?.targetId))
            seen["attacking"] = text(container.get<AttackingComponent>()?.defenderId?.let(::present))
            seen["blocking"] = texts(container.get<BlockingComponent>()?.blockedAttackerIds.orEmpty().map(::present))
            seen["damage"] = JsonPrimitive(container.get<DamageComponent>()?.amount ?: 0)
        }
        // Parts of the engine look at the hidden card of a face-down spell, others do not: it has no one answer.
        if (spell?.castFaceDown != true) seen.putAll(characteristics(id, card, there))
        if (spell != null) seen.putAll(onStack(id))
        return seen
    }

    /** What the thing is attacked or blocked under; the engine keeps the ids of what has left the battlefield. */
    private fun present(id: EntityId): String =
        if (nameOrNull(id) in seats || whereabouts(id)?.zoneType == Zone.BATTLEFIELD) name(id) else "nothing"

    private fun matches(id: EntityId, predicate: CardPredicate): Boolean =
        PredicateEvaluator().matchesCardPredicate(state, state.projectedState, id, predicate)

    /** What the engine's projection says of a permanent, and what its filters find of any other card. */
    private fun characteristics(id: EntityId, card: CardComponent, there: Boolean): Map<String, JsonElement> {
        val projected = state.projectedState
        val hidden = there && state.getEntity(id)!!.has<FaceDownComponent>()
        val types = if (there) projected.getTypes(id) else card.typeLine.cardTypes.map { it.name }.toSet() + card.typeLine.supertypes.map { it.name }
        val creature = "CREATURE" in types
        val subtypes = if (there) projected.getSubtypes(id) else (Subtype.ALL_CREATURE_TYPES + card.typeLine.subtypes.map { it.value }).filter { matches(id, CardPredicate.HasSubtype(Subtype(it))) }.toSet()
        val name = (if (there) projected.getName(id) else null) ?: card.name
        val seen = mutableMapOf<String, JsonElement>(
            "name" to text(if (hidden && !matches(id, CardPredicate.NameEquals(name))) null else if (state.getEntity(id)!!.has<TokenComponent>()) withoutToken(name) else name),
            "colors" to texts(if (there) projected.getColors(id).map { it.lowercase() }.sorted() else card.colors.map { it.name.lowercase() }.sorted()),
            "types" to texts(CardType.entries.filter { it.name in types }.map { it.displayName }),
            "supertypes" to texts(Supertype.entries.filter { it.name in types }.map { it.displayName }),
            "subtypes" to texts(subtypes.sorted()),
        )
        if (!hidden) seen["cost"] = text(if (card.manaCost.symbols.isEmpty()) null else cost(card.manaCost))
        val value = numberOf(id, EntityNumericProperty.ManaValue)
        if (matches(id, CardPredicate.ManaValueEquals(value))) seen["mana_value"] = JsonPrimitive(value)
        for ((key, printed) in listOf("power" to card.baseStats?.power, "toughness" to card.baseStats?.toughness)) {
            val number = when {
                there -> if (key == "power") projected.getPower(id) else projected.getToughness(id)
                printed == null -> null
                else -> numberOf(id, if (key == "power") EntityNumericProperty.Power else EntityNumericProperty.Toughness)
            }
            // A number that the engine keeps for what is no creature, or none for what is one, is not reported.
            if (creature == (number != null) || !there && printed != null) seen[key] = if (number == null) JsonNull else JsonPrimitive(number)
        }
        if ("PLANESWALKER" in types) {
            val loyalty = if (there) state.getEntity(id)!!.get<CountersComponent>()?.getCount(CounterType.LOYALTY) else World.registry.getCard(card.cardDefinitionId)?.startingLoyalty
            if (loyalty != null) seen["loyalty"] = JsonPrimitive(loyalty)
        }
        val words = if (there) projected.getKeywords(id) else card.baseKeywords.map { it.name }.toSet() + grantedOnStack(id, card)
        val more = printed(id, card, there, hidden, words)
        if (!there && grantedOtherwise(id) || lacking(card, more) || World.registry.getCard(card.cardDefinitionId) in Maker.colorless) return seen
        val short = words.filter { it in WITH_MORE && it !in more.keys || it.startsWith("PROTECTION_FROM_SUPERTYPE_") }
        if (short.isEmpty() && null !in more.values) seen["keywords"] = texts((words.filter { it !in WITH_MORE }.mapNotNull(::keywordWord) + more.values.map { it!! }).toSortedSet())
        return seen
    }

    /** The keywords that permanents give a spell; the engine asks for each by itself. */
    private fun grantedOnStack(id: EntityId, card: CardComponent): List<String> {
        val caster = state.getEntity(id)!!.get<SpellOnStackComponent>()?.casterId ?: return emptyList()
        val definition = World.registry.getCard(card.cardDefinitionId) ?: return emptyList()
        return Keyword.entries.filter { World.keywords.findGrant(state, caster, definition, it) != null }.map { it.name }
    }

    /** Whether something gives a card that is no permanent a keyword, or may do so, in a form that no list of keywords shows. */
    private fun grantedOtherwise(id: EntityId): Boolean = state.grantedKeywordAbilities.any { it.entityId == id } || state.getBattlefield().any { other ->
        val card = state.getEntity(other)?.get<CardComponent>()
        val parts = World.printed[card?.name]?.records("abilities").orEmpty().filter { it.text("is") == "static" }.flatMap { it.records("parts") }
        parts.any { "stack" in it.record("affects")?.texts("zones").orEmpty() && it.records("does").any { does -> does.text("op") == "gain" } } &&
            World.registry.getCard(card!!.cardDefinitionId)?.script?.staticAbilities.orEmpty().none { it is GrantKeywordToOwnSpells }
    }

    /** Whether the engine's own card has a keyword in another form, which no list of keywords shows. */
    private fun lacking(card: CardComponent, more: Map<String, String?>): Boolean {
        val definition = World.printed[card.name] ?: return false
        val (plain, others) = definition.records("abilities").filter { it.text("is") == "keyword" }.partition { it.saysOnly("is", "keyword") }
        val own = World.registry.getCard(card.cardDefinitionId) ?: return false
        return plain.any { word -> own.keywords.none { keywordWord(it.name) == word.text("keyword") } } ||
            others.count { it.text("keyword") !in listOf("landwalk", "protection", "hexproof") } > own.keywordAbilities.count { it !is KeywordAbility.Simple && it !is KeywordAbility.Protection && it !is KeywordAbility.Hexproof } +
            listOfNotNull(own.script.auraTarget, own.equipCost).size
    }

    /** A number of an object, as the engine's own effects get it. */
    private fun numberOf(id: EntityId, property: EntityNumericProperty): Int {
        val thing = state.getEntity(id)!!
        val owner = thing.get<OwnerComponent>()?.playerId ?: thing.get<SpellOnStackComponent>()?.casterId ?: state.projectedState.getController(id)!!
        return DynamicAmountEvaluator().evaluate(state, DynamicAmount.EntityProperty(EntityReference.Source, property), EffectContext(sourceId = id, controllerId = owner))
    }

    /** Keywords with something behind them, which the engine keeps in the card's definition, by the engine's word; null for what cannot be spelled. */
    private fun printed(id: EntityId, card: CardComponent, there: Boolean, hidden: Boolean, words: Collection<String>): Map<String, String?> {
        if (hidden || there && state.projectedState.hasLostAllAbilities(id)) return emptyMap()
        val definition = World.registry.getCard(card.cardDefinitionId) ?: return emptyMap()
        val found = LinkedHashMap<String, String?>()
        for ((at, one) in definition.keywordAbilities.withIndex()) {
            val own = (one.keyword ?: Keyword.entries.find { it.name == one::class.simpleName!!.uppercase() })?.name
            if (one is KeywordAbility.Simple && own !in WITH_MORE) continue
            // What it has lost since is not among the words of the battlefield.
            if (there && card.baseKeywords.any { it.name == own } && own !in words) continue
            if (one is KeywordAbility.Protection && (there || one.keyword != null)) continue
            if (one is KeywordAbility.OptionalAdditionalCost && one.grantsFlashTiming) continue
            found[if (own == null || own in found) "$own $at" else own] = spelled(one)
        }
        definition.script.auraTarget?.let { found["ENCHANT"] = hostOf(it) }
        definition.equipCost?.let { found["EQUIP"] = "equip ${cost(it)}" }
        return found
    }

    private fun spelled(one: KeywordAbility): String? = when (one) {
        is KeywordAbility.Flashback -> one.additionalCost.let { if (it == null) "flashback ${cost(one.cost)}" else null }
        is KeywordAbility.Warp -> if (one.additionalCost == null && !one.fromGraveyard) "warp ${cost(one.cost)}" else null
        is KeywordAbility.Cycling -> if (one.searchFilter != null && one.displayPrefix == "Cycling") null else "${one.displayPrefix.lowercase()} ${cost(one.cost)}"
        is KeywordAbility.Evoke -> "evoke ${cost(one.cost)}"
        is KeywordAbility.Madness -> "madness ${cost(one.cost)}"
        is KeywordAbility.Plot -> "plot ${cost(one.cost)}"
        is KeywordAbility.Dash -> "dash ${cost(one.cost)}"
        is KeywordAbility.Foretell -> "foretell ${cost(one.cost)}"
        is KeywordAbility.Ninjutsu -> "ninjutsu ${cost(one.cost)}"
        is KeywordAbility.Suspend -> "suspend ${one.timeCounters}—${cost(one.cost)}"
        is KeywordAbility.Affinity -> "affinity for ${one.forType.displayName.lowercase()}s"
        is KeywordAbility.Splice -> "splice onto ${one.onto.value} ${cost(one.cost)}"
        is KeywordAbility.OptionalAdditionalCost -> one.manaCost?.takeIf { one.additionalCost == null }?.let { "${one.displayPrefix.lowercase()} ${cost(it)}" }
        is KeywordAbility.Morph -> paid("morph", one.morphCost)
        is KeywordAbility.Disguise -> paid("disguise", one.disguiseCost)
        is KeywordAbility.Protection -> (one.scope as? ProtectionScope.Color)?.let { "protection from ${it.color.name.lowercase()}" }
        is KeywordAbility.Ward -> when (val cost = one.cost) {
            is WardCost.Mana -> if (cost.waterbend) null else "ward ${cost.manaCost}"
            is WardCost.Life -> "ward—Pay ${cost.amount} life"
            else -> null
        }
        is KeywordAbility.Numeric -> if (one.onceEachTurn) null else "${keywordWord(one.keyword.name)} ${one.n}"
        else -> null
    }

    private fun paid(word: String, cost: PayCost): String? = ((cost as? PayCost.Atom)?.atom as? CostAtom.Mana)?.let { "$word ${cost(it.cost)}" }

    /** What an Aura enchants, if that is everything of a card type. */
    private fun hostOf(aura: TargetRequirement): String? {
        val filter = (aura as? TargetObject)?.filter?.baseFilter ?: return null
        if (filter != GameObjectFilter(cardPredicates = filter.cardPredicates)) return null
        return when (filter.cardPredicates.singleOrNull()) {
            CardPredicate.IsCreature -> "enchant creature"
            CardPredicate.IsLand -> "enchant land"
            CardPredicate.IsPermanent -> "enchant permanent"
            CardPredicate.IsArtifact -> "enchant artifact"
            else -> null
        }
    }

    private fun keywordWord(word: String): String? = when {
        word in ABILITY_WORDS -> null
        word.startsWith("PROTECTION_FROM_CARDTYPE_") -> "protection from ${plural(word.removePrefix("PROTECTION_FROM_CARDTYPE_").lowercase())}"
        word.startsWith("PROTECTION_FROM_SUBTYPE_") -> "protection from ${plural(word.removePrefix("PROTECTION_FROM_SUBTYPE_").lowercase().replaceFirstChar(Char::uppercase))}"
        word.startsWith("PROTECTION_FROM_") -> "protection from ${word.removePrefix("PROTECTION_FROM_").lowercase()}"
        Keyword.entries.any { it.name == word } -> word.lowercase().replace('_', ' ')
        else -> null
    }

    private fun plural(word: String): String = IRREGULAR[word] ?: when {
        word.endsWith("y") -> word.dropLast(1) + "ies"
        word.endsWith("sh") || word.endsWith("ch") || word.last() in "sxz" -> word + "es"
        else -> word + "s"
    }

    /** A mana cost in symbols: X, the number, the others. */
    private fun cost(cost: ManaCost): String {
        val xs = cost.symbols.filterIsInstance<ManaSymbol.X>().joinToString("")
        val others = cost.symbols.filter { it !is ManaSymbol.X && it !is ManaSymbol.Generic }.joinToString("")
        return xs + (if (cost.genericAmount > 0 || xs.isEmpty() && others.isEmpty()) "{${cost.genericAmount}}" else "") + others
    }

    /** A spell or an ability on the stack. */
    private fun seenEntry(id: EntityId): Map<String, JsonElement> =
        if (state.getEntity(id)!!.get<SpellOnStackComponent>() != null && state.getEntity(id)!!.get<CardComponent>() != null) seenObject(id) else onStack(id)

    private fun onStack(id: EntityId): Map<String, JsonElement> {
        val container = state.getEntity(id)!!
        val spell = container.get<SpellOnStackComponent>()
        val trigger = container.get<TriggeredAbilityOnStackComponent>()
        val activated = container.get<ActivatedAbilityOnStackComponent>()
        val stack = stackNames()
        val targets = container.get<TargetsComponent>()?.targets.orEmpty().map(::entity).map { one -> state.stack.indexOf(one).let { if (it >= 0) stack[it] else name(one) } }
        val seen = mutableMapOf<String, JsonElement>(
            "zone" to text("stack"), "targets" to texts(targets),
            "kind" to text(if (trigger != null) "triggered" else if (activated != null) "activated" else if (id in names) "spell" else "copy"),
            "controller" to text(nameOrNull(spell?.casterId ?: trigger?.controllerId ?: activated?.controllerId)),
        )
        (trigger?.sourceId ?: activated?.sourceId)?.let { seen["source"] = text(name(it)) }
        paid[id]?.let { seen["paid"] = text(it) }
        return seen
    }
}

// ------------------------------------------------------------------------------------------- THE PROTOCOL

/** What the engine says if it was not told what pays a cost. */
private val UNPAID = Regex("You must (sacrifice|exile|discard|tap|return|remove|behold) .*|Must choose \\d+ card\\(s\\) to discard.*|Damage distribution required .*")
private val UNCHOSEN = Regex("Not enough permanents chosen to .*")
private val UNAIMED = Regex("This ability requires a target")

/** Do it. What pays a cost is no question of this engine: it wants to be told, and a script that does not tell it cannot be played. */
private fun performed(game: Game, place: Int, action: Said) = try {
    game.perform(place, action)
} catch (not: Rejected) {
    if (UNPAID.matches(not.says) && action.records("costs").isEmpty()) unsupported(not.says)
    if (UNCHOSEN.matches(not.says) && game.waiting.any { it.choice.text("kind") == "cards" }) unsupported(not.says)
    if (UNAIMED.matches(not.says) && action.list("targets").isEmpty()) unsupported(not.says)
    throw not
}

/** The whole answer to a scenario. */
fun play(request: Said): JsonObject {
    val scenario = request.record("scenario") ?: NOTHING
    val looks = LinkedHashMap<String, JsonElement>()
    val tried = LinkedHashMap<String, JsonElement>()
    val unused = ArrayList<JsonElement>()
    var at = 0
    var stopped: JsonElement = JsonNull
    val game = Game(scenario)
    try {
        game.begin()
        scenario.records("script").forEachIndexed { place, action ->
            at = place
            when (action.text("do")) {
                "look" -> looks[action.text("name")] = game.look(action.text("name"))
                "try" -> tried[action.text("name")] = try {
                    performed(game, place, action.record("action") ?: NOTHING)
                    JsonPrimitive("done")
                } catch (not: Rejected) {
                    JsonPrimitive("rejected")
                }
                else -> performed(game, place, action)
            }
        }
        looks["end"] = game.look("end")
        game.waiting.filter { it.choice.text("do") == "choose" }.mapTo(unused) { JsonPrimitive(it.at) }
    } catch (not: Not) {
        val why = when (not) {
            is Unsupported -> "unsupported"
            is Rejected -> "rejected"
            is Asked -> "question"
            is NoStop -> "no stop"
            is Endless -> "loop"
        }
        stopped = JsonObject(mapOf("at" to JsonPrimitive(at), "why" to JsonPrimitive(why), (if (not is Asked) "question" else "says") to JsonPrimitive(not.says)))
    }
    return JsonObject(
        mapOf(
            "id" to (request["id"] ?: JsonNull), "looks" to JsonObject(looks), "tried" to JsonObject(tried), "unused" to JsonArray(unused),
            "cards" to JsonObject(game.named.associateWith { JsonPrimitive("named") }), "stopped" to stopped,
        ),
    )
}

/** Answer line by line; stdout belongs to the protocol, stderr is for people. */
fun talk() {
    val answers = java.io.BufferedOutputStream(java.io.FileOutputStream(java.io.FileDescriptor.out), 1 shl 16)
    System.setOut(System.err)
    for (line in System.`in`.bufferedReader(Charsets.UTF_8).lineSequence()) {
        val request = Json.parseToJsonElement(line) as JsonObject
        val answer = when (request.text("say")) {
            "bye" -> return
            "hello" -> JsonObject(
                mapOf(
                    "protocol" to JsonPrimitive(1), "name" to JsonPrimitive(NAME), "version" to JsonPrimitive(System.getenv("ARGENTUM_VERSION") ?: "unknown"),
                    "edition" to JsonPrimitive(EDITION), "takes" to JsonArray(listOfNotNull("defined", "named".takeIf { Own.there }).map { JsonPrimitive(it) }),
                    "lacks" to JsonArray(listOf("teams", "simultaneous entry", "switch").map { JsonPrimitive(it) }),
                    "wants_defaults" to JsonPrimitive(true),
                ),
            )
            else -> try {
                play(request)
            } catch (error: Exception) {
                broken(request, error)
            } catch (error: StackOverflowError) {
                broken(request, error)
            }
        }
        answers.write((answer.toString() + "\n").toByteArray())
        answers.flush()
    }
}

fun broken(request: Said, error: Throwable): JsonObject {
    val place = error.stackTrace.firstOrNull { "wingedsheep" in it.className } ?: error.stackTrace.firstOrNull()
    return JsonObject(mapOf("id" to (request["id"] ?: JsonNull), "error" to JsonPrimitive("$error at $place")))
}

/** The engine's effects are deep: it is given a large stack. */
fun main() {
    val worker = Thread(null, ::talk, "MAIN", 256L shl 20)
    worker.start()
    worker.join()
}
