// A shim for the conformance suite, with a tiny engine inside so that it plays from the first minute.
//
// Four parts: THE ENGINE, to be replaced by yours; THE SHIM, which turns a scenario into calls of the engine
// and the engine into what is seen; THE PROTOCOL, one JSON object a line; and a little JSON, so that nothing
// but the standard library is needed. The last two may stay as they are.

import java.io.FileDescriptor
import java.io.FileOutputStream
import java.io.PrintStream

const val NAME = "my engine"
const val VERSION = "0.1"
val STEPS = listOf(
    "untap", "upkeep", "draw", "precombat main", "beginning of combat", "declare attackers",
    "declare blockers", "combat damage", "end of combat", "postcombat main", "end", "cleanup",
)
val ZONES = listOf("hand", "library", "graveyard", "exile")
val SYMBOLS = mapOf("W" to "white", "U" to "blue", "B" to "black", "R" to "red", "G" to "green")

/** The rules do not allow this; the game is as it was. */
class Rejected(why: String) : Exception(why)

/** We cannot play this, and say so: never guess. */
class Unsupported(what: String) : Exception(what)

// ------------------------------------------------------------------------------------ THE ENGINE
// Players, zones, priority, steps; creatures without abilities, spells that deal damage. Yours goes here.

/** A card, wherever it is; of an instant or sorcery also the damage it deals. */
class Thing(val id: String, val card: Json, val owner: String, val deals: Long, val hitsPlayers: Boolean) {
    var controller = owner
    var zone = ""
    var tapped = false
    var damage = 0L
    var targets = listOf<String>()
    val types = card.texts("types").toSet()
    val isSpell = "Instant" in types || "Sorcery" in types
    val isCreature = "Creature" in types
}

/** A game under way. */
class Game(val players: List<String>, var active: String, var step: String) {
    val things = linkedMapOf<String, Thing>()
    val zones = ZONES.associateWith { mutableMapOf<String, MutableList<String>>() }
    val life = mutableMapOf<String, Long>()
    val lost = mutableSetOf<String>()
    val stack = mutableListOf<String>()
    var holder = active
    var passes = 0
    var landsPlayed = 0

    fun zone(zone: String, player: String) = zones.getValue(zone).getValue(player)

    fun after(player: String) = players[(players.indexOf(player) + 1) % players.size]

    fun battlefield() = things.values.filter { it.zone == "battlefield" }

    /** Take a card from where it is to another zone (libraries and graveyards: to the top). */
    fun move(thing: Thing, zone: String) {
        if (thing.zone in zones) zone(thing.zone, thing.owner).remove(thing.id)
        stack.remove(thing.id)
        thing.zone = zone
        thing.tapped = false
        thing.damage = 0
        if (zone in zones) zone(zone, thing.owner).add(0, thing.id)
        if (zone == "stack") stack.add(thing.id)
    }

    fun pass(player: String, attackersFollow: Boolean = true) {
        if (player != holder) throw Rejected("$holder has priority")
        passes++
        if (passes < players.size) {
            holder = after(player)
            return
        }
        if (stack.isEmpty()) nextStep(attackersFollow) else resolveTop()
        givePriority()
    }

    /** State-based actions, then the active player may act. */
    private fun givePriority() {
        for (thing in battlefield())
            if (thing.isCreature && thing.damage >= thing.card.number("toughness")) move(thing, "graveyard")
        if (life.values.any { it <= 0 }) throw Unsupported("a player without life")
        holder = active
        passes = 0
    }

    /** The next step in which somebody gets priority. */
    private fun nextStep(attackersFollow: Boolean) {
        if (step == "beginning of combat" && attackersFollow)
            if (battlefield().any { it.isCreature && it.controller == active && !it.tapped })
                throw Unsupported("combat")
        if (step == "declare attackers") step = "combat damage" // nobody attacked
        step = STEPS[(STEPS.indexOf(step) + 1) % STEPS.size]
        when (step) {
            "cleanup" -> {
                if (zone("hand", active).size > 7) throw Unsupported("discarding in the cleanup step")
                things.values.forEach { it.damage = 0 }
                nextStep(attackersFollow)
            }
            "untap" -> {
                active = after(active)
                landsPlayed = 0
                battlefield().forEach { it.tapped = it.tapped && it.controller != active }
                nextStep(attackersFollow)
            }
            "draw" -> draw(active)
        }
    }

    private fun draw(player: String) {
        val library = zone("library", player)
        if (library.isNotEmpty()) move(things.getValue(library[0]), "hand")
        // Try me: G-0058 says what happens to a player who draws from an empty library. One line does it:
        // else lost.add(player)
    }

    private fun mainPhaseOf(player: String) = player == active && step.endsWith("main") && stack.isEmpty()

    fun playLand(thing: Thing, player: String) {
        if (player != holder || !mainPhaseOf(player) || landsPlayed > 0) throw Rejected("not now")
        if (thing.id !in zone("hand", player) || "Land" !in thing.types)
            throw Rejected("${thing.id} is no land in the hand of $player")
        move(thing, "battlefield")
        landsPlayed++
        passes = 0
    }

    fun cast(thing: Thing, player: String, targets: List<String>) {
        if (player != holder) throw Rejected("$holder has priority")
        if (thing.id !in zone("hand", player) || "Land" in thing.types)
            throw Rejected("${thing.id} is no spell in the hand of $player")
        if ("Instant" !in thing.types && !mainPhaseOf(player))
            throw Rejected("only in your own main phase, with an empty stack")
        if (targets.size != (if (thing.isSpell) 1 else 0) || !targets.all { canHit(thing, it) })
            throw Rejected("not a legal target")
        move(thing, "stack")
        thing.controller = player
        thing.targets = targets
        holder = player
        passes = 0
    }

    private fun canHit(spell: Thing, target: String): Boolean {
        if (target in players) return spell.hitsPlayers
        val thing = things[target]
        return thing != null && thing.zone == "battlefield" && thing.isCreature
    }

    private fun resolveTop() {
        val thing = things.getValue(stack.last())
        if (!thing.isSpell) return move(thing, "battlefield")
        for (target in thing.targets) {
            if (target in players) life[target] = life.getValue(target) - thing.deals
            else if (canHit(thing, target)) things.getValue(target).damage += thing.deals
        }
        move(thing, "graveyard")
        thing.controller = thing.owner
    }
}

// -------------------------------------------------------------------------------------- THE SHIM

/** YOURS: make your card from the definition, or say that you cannot. */
fun understood(id: String, card: Json, owner: String): Thing {
    onlyThese(card, "name", "cost", "types", "subtypes", "supertypes", "colors", "power", "toughness", "abilities")
    val known = setOf("Artifact", "Creature", "Enchantment", "Land", "Instant", "Sorcery")
    val abilities = card.list("abilities")
    if (!known.containsAll(card.texts("types"))) throw Unsupported("types")
    if (card.texts("supertypes").any { it != "Basic" }) throw Unsupported("supertypes")
    if ("Creature" in card.texts("types") && card["toughness"] !is Long) throw Unsupported("toughness")
    if ("Instant" !in card.texts("types") && "Sorcery" !in card.texts("types")) {
        if (abilities.isNotEmpty()) throw Unsupported("${abilities[0].text("is")} abilities")
        return Thing(id, card, owner, 0, false)
    }
    if (abilities.size != 1 || !dealsDamage(abilities[0])) throw Unsupported("what a spell does")
    val (effect, target) = abilities[0].list("effect")[0] to abilities[0].list("targets")[0]
    return Thing(id, card, owner, effect.number("n"), target["any_target"] == true)
}

/** Throw if a record says something under another key; null, false and [] say nothing. */
fun onlyThese(record: Json, vararg keys: String) {
    for (key in record.keys) if (key !in keys && !record.isNothing(key)) throw Unsupported(key)
}

/** Whether an ability is exactly `deals N damage to any target` (or to target creature). */
fun dealsDamage(ability: Json): Boolean {
    if (ability.text("is") != "spell") return false
    val effect = ability.list("effect").singleOrNull() ?: return false
    val target = ability.list("targets").singleOrNull() ?: return false
    val what = target["what"]?.let { Json(it) }
    val creature = what != null && what["type"] == listOf("Creature") &&
        what.keys.all { it in setOf("who", "zones", "type") || what.isNothing(it) }
    return effect.text("then") == "damage" && effect["n"] is Long && effect["divided"] == false &&
        effect["to"] == mapOf("who" to "the", "name" to "target") &&
        target["least"] == 1L && target["most"] == 1L && (target["any_target"] == true || creature) &&
        listOf("additional", "kicked", "modes").all { ability.isNothing(it) }
}

/** YOURS: set the table. Create everything in the order of `objects`, then enter it in that of `setup`. */
fun newGame(scenario: Json): Game {
    val seats = scenario.list("players")
    val start = scenario.inner("start")
    val game = Game(seats.map { it.text("id") }, start.text("turn"), start.text("step"))
    val cards = scenario.list("cards").map { it.inner("definition") }.associateBy { it.text("name") }
    for (thing in scenario.list("objects")) {
        if (thing["token"] == true) throw Unsupported("tokens")
        val id = thing.text("id")
        game.things[id] = understood(id, cards.getValue(thing.text("card")), thing.text("owner"))
    }
    for (seat in seats) {
        if (!seat.isNothing("team")) throw Unsupported("teams")
        if (!seat.isNothing("counters")) throw Unsupported("counters on players")
        game.life[seat.text("id")] = seat.number("life")
        for (zone in ZONES) {
            game.zones.getValue(zone)[seat.text("id")] = seat.texts(zone).toMutableList()
            for (id in seat.texts(zone)) game.things.getValue(id).zone = zone
        }
    }
    for (entry in scenario.list("setup").flatMap { it.list("entries") }) {
        onlyThese(entry, "id", "controller", "tapped", "damage", "new")
        val thing = game.things.getValue(entry.text("id"))
        thing.zone = "battlefield"
        thing.controller = entry.text("controller")
        thing.tapped = entry["tapped"] == true
        thing.damage = entry.number("damage")
    }
    return game
}

/** YOURS: one action of the script. Illegal: throw Rejected. Not possible to ask: throw Unsupported. */
fun act(game: Game, action: Json) {
    when (action.text("do")) {
        "pass" -> {
            if (action.text("who") == "everyone") until(game) { game.passes == 0 }
            else game.pass(action.text("who"))
        }
        "settle" -> if (game.stack.isNotEmpty()) until(game) { game.stack.isEmpty() }
        "resolve" -> until(game) { action.text("what") !in game.stack }
        "advance" -> {
            if (game.stack.isNotEmpty()) until(game) { game.stack.isEmpty() } // the step goes on when that has resolved
            until(game, attackersFollow = false) {
                val turn = action.isNothing("turn") || game.active == action.text("turn")
                game.passes == 0 && game.step == action.text("to") && turn
            }
        }
        "play" -> game.playLand(game.things.getValue(action.text("what")), action.text("by"))
        "cast" -> {
            onlyThese(action, "do", "what", "by", "targets")
            val targets = (action["targets"] as List<*>).flatMap { group -> (group as List<*>).map { it as String } }
            game.cast(game.things.getValue(action.text("what")), action.text("by"), targets)
        }
        else -> throw Unsupported("the action ${action.text("do")}")
    }
}

/** Everyone passes until something is so. */
fun until(game: Game, attackersFollow: Boolean = true, done: () -> Boolean) {
    repeat(1000) {
        game.pass(game.holder, attackersFollow)
        if (done()) return
    }
    throw Unsupported("more than a thousand passes")
}

/** What is seen now: of everything wanted at this look the keys that are known. Leave out what you don't know. */
fun look(game: Game, wants: List<Json>, name: String): Map<String, Any?> {
    val objects = mutableMapOf<String, Any?>()
    val players = mutableMapOf<String, Any?>()
    var table = mapOf<String, Any?>()
    for (want in wants.filter { it.text("look") == name }) {
        val of = want.text("of")
        val only = { seen: Map<String, Any?> -> seen.filterKeys { it in want.texts("keys") } }
        when (of) {
            "table" -> table = only(seenTable(game))
            in game.players -> players[of] = only(seenPlayer(game, of))
            in game.things -> objects[of] = only(seenThing(game.things.getValue(of)))
        }
    }
    return mapOf("objects" to objects, "players" to players, "table" to table)
}

/** YOURS: read these from your engine. */
fun seenTable(game: Game) = mapOf(
    "turn" to game.active,
    "active" to game.active,
    "step" to game.step,
    "priority" to game.holder,
    "stack" to game.stack.toList(), // bottom to top
    "over" to (game.players.size - game.lost.size < 2),
)

/** YOURS: read these from your engine. */
fun seenPlayer(game: Game, player: String) = mapOf(
    "life" to game.life[player],
    "hand" to game.zone("hand", player).toList(),
    "library_size" to game.zone("library", player).size,
    "library_top" to game.zone("library", player).firstOrNull(),
    "graveyard" to game.zone("graveyard", player).toList(),
    "exile" to game.zone("exile", player).toList(),
    "lost" to (player in game.lost),
    "land_plays" to if (player == game.active) 1 - game.landsPlayed else 0,
)

/** YOURS: read these from your engine. None is null; what is unknown is left out. */
fun seenThing(thing: Thing): Map<String, Any?> {
    val card = thing.card
    val symbols = (card["cost"] as String? ?: "").replace("{", "").split("}").filter { it.isNotEmpty() }
    val value = { symbol: String -> symbol.substringBefore("/").toIntOrNull() ?: if (symbol == "X") 0 else 1 }
    val colors = SYMBOLS.filterKeys { letter -> symbols.any { letter in it } }.values.toList()
    // A noncreature permanent has no power, whatever is printed on it.
    val hasSize = thing.zone != "battlefield" || thing.isCreature
    return mapOf(
        "name" to card["name"],
        "cost" to card["cost"],
        "mana_value" to symbols.sumOf(value),
        "colors" to (card["colors"] ?: colors),
        "types" to card["types"],
        "subtypes" to card["subtypes"],
        "supertypes" to card["supertypes"],
        "power" to if (hasSize) card["power"] else null,
        "toughness" to if (hasSize) card["toughness"] else null,
        "zone" to thing.zone,
        "owner" to thing.owner,
        "controller" to if (thing.zone in setOf("battlefield", "stack")) thing.controller else null,
        "tapped" to thing.tapped,
        "damage" to thing.damage,
    )
}

// ---------------------------------------------------------------------------------- THE PROTOCOL

/** The whole answer to a scenario. */
fun play(id: Any?, scenario: Json): Map<String, Any?> {
    val looks = mutableMapOf<String, Any?>()
    val tried = mutableMapOf<String, String>()
    val answer = mutableMapOf("id" to id, "looks" to looks, "tried" to tried)
    var at = 0
    val stopped = { why: String, error: Exception -> mapOf("at" to at, "why" to why, "says" to error.message) }
    try {
        val game = newGame(scenario)
        for (action in scenario.list("script")) {
            when (action.text("do")) {
                "look" -> looks[action.text("name")] = look(game, scenario.list("wants"), action.text("name"))
                "try" -> tried[action.text("name")] = outcome { act(game, action.inner("action")) }
                else -> act(game, action)
            }
            at++
        }
        looks["end"] = look(game, scenario.list("wants"), "end")
    } catch (error: Unsupported) {
        answer["stopped"] = stopped("unsupported", error)
    } catch (error: Rejected) {
        answer["stopped"] = stopped("rejected", error)
    } catch (error: Exception) { // our own fault: say so, and go on with the next scenario
        return mapOf("id" to id, "error" to error.toString())
    }
    return answer
}

fun outcome(action: () -> Unit) = try {
    action()
    "done"
} catch (refused: Rejected) {
    "rejected"
}

/** Answer line by line; stdout belongs to the protocol, stderr (System.err) is for people. */
fun main() {
    val out = PrintStream(FileOutputStream(FileDescriptor.out), false, Charsets.UTF_8)
    for (line in System.`in`.bufferedReader(Charsets.UTF_8).lineSequence()) {
        val request = Json(Reader(line).value()!!)
        val answer = when (request.text("say")) {
            "bye" -> return
            "hello" -> mapOf(
                "protocol" to 1, "name" to NAME, "version" to VERSION,
                "takes" to listOf("defined"), "lacks" to listOf("teams"),
                "wants_defaults" to true,
            )
            else -> play(request["id"], request.inner("scenario"))
        }
        out.print(written(answer) + "\n")
        out.flush()
    }
}

// ------------------------------------------------------------------------------------------ JSON

/** A JSON object, and its values by key: Map, List, String, Long, Boolean or null. */
class Json(value: Any) {
    @Suppress("UNCHECKED_CAST")
    private val map = value as Map<String, Any?>
    val keys get() = map.keys

    operator fun get(key: String) = map[key]
    fun text(key: String) = map[key] as String
    fun number(key: String) = map[key] as Long
    fun inner(key: String) = Json(map[key]!!)
    fun list(key: String) = (map[key] as List<*>).map { Json(it!!) }
    fun texts(key: String) = (map[key] as List<*>).map { it as String }

    /** Whether nothing is said by it: null, false, an empty list. */
    fun isNothing(key: String) = map[key].let { it == null || it == false || it == listOf<Any>() }
}

/** Reads a JSON value from a line. */
class Reader(private val line: String) {
    private var at = 0

    fun value(): Any? = when (next()) {
        '{' -> {
            val map = linkedMapOf<String, Any?>()
            at++
            while (next() != '}') {
                val key = text()
                map[key] = value()
            }
            at++
            map
        }
        '[' -> {
            val list = mutableListOf<Any?>()
            at++
            while (next() != ']') list.add(value())
            at++
            list
        }
        '"' -> text()
        else -> {
            val word = line.substring(at).takeWhile { it !in ",]} " }
            at += word.length
            when (word) {
                "null" -> null
                "true" -> true
                "false" -> false
                else -> word.toLong()
            }
        }
    }

    private fun next(): Char {
        while (line[at].isWhitespace() || line[at] in ",:") at++
        return line[at]
    }

    private fun text(): String {
        val text = StringBuilder()
        next()
        at++
        while (line[at] != '"') {
            if (line[at] != '\\') {
                text.append(line[at++])
                continue
            }
            val escaped = line[at + 1]
            at += 2
            if (escaped == 'u') {
                text.append(line.substring(at, at + 4).toInt(16).toChar())
                at += 4
            } else {
                text.append(mapOf('n' to '\n', 't' to '\t', 'r' to '\r', 'b' to '\b')[escaped] ?: escaped)
            }
        }
        at++
        return text.toString()
    }
}

/** A value as JSON. */
fun written(value: Any?): String = when (value) {
    is Map<*, *> -> value.entries.joinToString(",", "{", "}") { written(it.key) + ":" + written(it.value) }
    is Collection<*> -> value.joinToString(",", "[", "]") { written(it) }
    is String -> value.map { if (it in "\"\\") "\\$it" else if (it < ' ') "\\u%04x".format(it.code) else "$it" }
        .joinToString("", "\"", "\"")
    else -> value.toString()
}
