/** Yours: connects the engine with the fixtures. `conformance export` never overwrites this file. */
object ConformanceEngine {
    /**
     * The engine's answer to a line of the protocol: `hello`, or `play` with a scenario (docs/protocol.md of the suite).
     * Begin each scenario with a new game, and answer "unsupported" to all that cannot be played: never guess.
     */
    @JvmStatic
    fun answer(line: String): String {
        if ("\"say\":\"hello\"" in line) {
            return """{"protocol": 1, "name": "my engine", "version": "0.1", "wants_defaults": true}"""
        }
        // With kotlinx.serialization: val request = Json.parseToJsonElement(line).jsonObject; play(request["scenario"])
        val number = line.substringAfter("\"id\":").substringBefore(",")
        return """{"id": $number, "looks": {}, "stopped": {"at": 0, "why": "unsupported", "says": "everything"}}"""
    }
}
