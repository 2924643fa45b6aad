// A shim for the conformance suite, with a tiny engine inside so that it plays from the first minute.
//
// Three parts: THE ENGINE, to be replaced by yours; THE SHIM, which turns a scenario into calls of the engine
// and the engine into what is seen; THE PROTOCOL, one JSON object a line, which may stay as it is.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

const (
	engineName    = "my engine"
	engineVersion = "0.1"
)

var steps = []string{
	"untap", "upkeep", "draw", "precombat main", "beginning of combat", "declare attackers",
	"declare blockers", "combat damage", "end of combat", "postcombat main", "end", "cleanup",
}

var symbols = map[string]string{"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}

// Rejected is what the rules do not allow; the game is as it was.
type Rejected string

func (why Rejected) Error() string { return string(why) }

// Unsupported is what we cannot play, and say so: never guess.
type Unsupported string

func (what Unsupported) Error() string { return string(what) }

// ------------------------------------------------------------------------------------ THE ENGINE
// Players, zones, priority, steps; creatures without abilities, spells that deal damage. Yours goes here.

// Thing is a card, wherever it is.
type Thing struct {
	id, owner, controller, zone string
	card                        *Card
	tapped                      bool
	damage                      int
	targets                     []string
}

// Card is what is printed, and the damage that a spell deals.
type Card struct {
	printed             Record
	types               []string
	toughness           int
	isSpell, hitsPlayer bool
	deals               int
}

func (t *Thing) is(kind string) bool {
	return slices.Contains(t.card.types, kind)
}

// Game is a game under way.
type Game struct {
	players              []string
	active, step, holder string
	order                []*Thing
	things               map[string]*Thing
	zones                map[string]map[string][]string
	life                 map[string]int
	lost                 map[string]bool
	stack                []string
	passes, landsPlayed  int
}

func newEmptyGame(players []string, active, step string) *Game {
	game := &Game{players: players, active: active, step: step, holder: active}
	game.things, game.life, game.lost = map[string]*Thing{}, map[string]int{}, map[string]bool{}
	game.zones = map[string]map[string][]string{"hand": {}, "library": {}, "graveyard": {}, "exile": {}}
	return game
}

func (g *Game) after(player string) string {
	return g.players[(slices.Index(g.players, player)+1)%len(g.players)]
}

func (g *Game) battlefield() []*Thing {
	var found []*Thing
	for _, thing := range g.order {
		if thing.zone == "battlefield" {
			found = append(found, thing)
		}
	}
	return found
}

// move takes a card from where it is to another zone (libraries and graveyards: to the top).
func (g *Game) move(thing *Thing, zone string) {
	others := func(ids []string) []string {
		return slices.DeleteFunc(ids, func(id string) bool { return id == thing.id })
	}
	if from, ok := g.zones[thing.zone]; ok {
		from[thing.owner] = others(from[thing.owner])
	}
	g.stack = others(g.stack)
	thing.zone, thing.tapped, thing.damage = zone, false, 0
	if to, ok := g.zones[zone]; ok {
		to[thing.owner] = slices.Insert(to[thing.owner], 0, thing.id)
	}
	if zone == "stack" {
		g.stack = append(g.stack, thing.id)
	}
}

func (g *Game) pass(player string, attackersFollow bool) error {
	if player != g.holder {
		return Rejected(g.holder + " has priority")
	}
	g.passes++
	if g.passes < len(g.players) {
		g.holder = g.after(player)
		return nil
	}
	if len(g.stack) > 0 {
		g.resolveTop()
	} else if err := g.nextStep(attackersFollow); err != nil {
		return err
	}
	return g.givePriority()
}

// givePriority performs state-based actions; then the active player may act.
func (g *Game) givePriority() error {
	for _, thing := range g.battlefield() {
		if thing.is("Creature") && thing.damage >= thing.card.toughness {
			g.move(thing, "graveyard")
		}
	}
	for _, life := range g.life {
		if life <= 0 {
			return Unsupported("a player without life")
		}
	}
	g.holder, g.passes = g.active, 0
	return nil
}

// nextStep goes to the next step in which somebody gets priority.
func (g *Game) nextStep(attackersFollow bool) error {
	if g.step == "beginning of combat" && attackersFollow {
		for _, thing := range g.battlefield() {
			if thing.controller == g.active && thing.is("Creature") && !thing.tapped {
				return Unsupported("combat")
			}
		}
	}
	if g.step == "declare attackers" { // nobody attacked: no blockers, no damage
		g.step = "combat damage"
	}
	g.step = steps[(slices.Index(steps, g.step)+1)%len(steps)]
	switch g.step {
	case "cleanup":
		if len(g.zones["hand"][g.active]) > 7 {
			return Unsupported("discarding in the cleanup step")
		}
		for _, thing := range g.order {
			thing.damage = 0
		}
		return g.nextStep(attackersFollow)
	case "untap":
		g.active, g.landsPlayed = g.after(g.active), 0
		for _, thing := range g.battlefield() {
			thing.tapped = thing.tapped && thing.controller != g.active
		}
		return g.nextStep(attackersFollow)
	case "draw":
		g.draw(g.active)
	}
	return nil
}

func (g *Game) draw(player string) {
	if library := g.zones["library"][player]; len(library) > 0 {
		g.move(g.things[library[0]], "hand")
		return
	}
	// Try me: G-0058 says what happens to a player who draws from an empty library. One line does it:
	// g.lost[player] = true
}

func (g *Game) mainPhaseOf(player string) bool {
	return player == g.active && strings.HasSuffix(g.step, "main") && len(g.stack) == 0
}

func (g *Game) playLand(thing *Thing, player string) error {
	if player != g.holder || !g.mainPhaseOf(player) || g.landsPlayed > 0 {
		return Rejected("not now")
	}
	if !slices.Contains(g.zones["hand"][player], thing.id) || !thing.is("Land") {
		return Rejected(thing.id + " is no land in " + player + "'s hand")
	}
	g.move(thing, "battlefield")
	g.landsPlayed++
	g.passes = 0
	return nil
}

func (g *Game) cast(thing *Thing, player string, targets []string) error {
	if player != g.holder {
		return Rejected(g.holder + " has priority")
	}
	if !slices.Contains(g.zones["hand"][player], thing.id) || thing.is("Land") {
		return Rejected(thing.id + " is no spell in " + player + "'s hand")
	}
	if !thing.is("Instant") && !g.mainPhaseOf(player) {
		return Rejected("only in your own main phase, with an empty stack")
	}
	wanted := 0
	if thing.card.isSpell {
		wanted = 1
	}
	cannotHit := func(target string) bool { return !g.canHit(thing, target) }
	if len(targets) != wanted || slices.ContainsFunc(targets, cannotHit) {
		return Rejected("not a legal target")
	}
	g.move(thing, "stack")
	thing.controller, thing.targets = player, targets
	g.holder, g.passes = player, 0
	return nil
}

func (g *Game) canHit(spell *Thing, target string) bool {
	if slices.Contains(g.players, target) {
		return spell.card.hitsPlayer
	}
	thing := g.things[target]
	return thing != nil && thing.zone == "battlefield" && thing.is("Creature")
}

func (g *Game) resolveTop() {
	thing := g.things[g.stack[len(g.stack)-1]]
	if !thing.card.isSpell {
		g.move(thing, "battlefield")
		return
	}
	for _, target := range thing.targets {
		if slices.Contains(g.players, target) {
			g.life[target] -= thing.card.deals
		} else if g.canHit(thing, target) {
			g.things[target].damage += thing.card.deals
		}
	}
	g.move(thing, "graveyard")
	thing.controller = thing.owner
}

// -------------------------------------------------------------------------------------- THE SHIM

// Record is a JSON object. Its methods return the zero value for a key that is null or missing.
type Record map[string]any

func (r Record) text(key string) string {
	found, _ := r[key].(string)
	return found
}

func (r Record) number(key string) int {
	found, _ := r[key].(float64)
	return int(found)
}

func (r Record) flag(key string) bool {
	found, _ := r[key].(bool)
	return found
}

func (r Record) record(key string) Record {
	found, _ := r[key].(map[string]any)
	return found
}

func (r Record) records(key string) []Record {
	var found []Record
	list, _ := r[key].([]any)
	for _, one := range list {
		record, _ := one.(map[string]any)
		found = append(found, record)
	}
	return found
}

func (r Record) texts(key string) []string {
	found := []string{} // never nil, which would be written as null
	list, _ := r[key].([]any)
	for _, one := range list {
		text, _ := one.(string)
		found = append(found, text)
	}
	return found
}

// says is whether there is anything under a key: null, false, 0 and what is empty say nothing.
func (r Record) says(key string) bool {
	switch value := r[key].(type) {
	case nil:
		return false
	case bool:
		return value
	case float64:
		return value != 0
	case string:
		return value != ""
	case []any:
		return len(value) > 0
	case map[string]any:
		return len(value) > 0
	default:
		return true
	}
}

// onlyThese fails if a record says something under another key.
func (r Record) onlyThese(keys ...string) error {
	for key := range r {
		if !slices.Contains(keys, key) && r.says(key) {
			return Unsupported(key)
		}
	}
	return nil
}

// understood is YOURS: make your card from the definition, or say that you cannot.
func understood(printed Record) (*Card, error) {
	keys := []string{"name", "cost", "types", "subtypes", "supertypes", "colors", "power", "toughness", "abilities"}
	if err := printed.onlyThese(keys...); err != nil {
		return nil, err
	}
	card := &Card{printed: printed, types: printed.texts("types"), toughness: printed.number("toughness")}
	for _, kind := range card.types {
		if !slices.Contains([]string{"Artifact", "Creature", "Enchantment", "Land", "Instant", "Sorcery"}, kind) {
			return nil, Unsupported("types")
		}
	}
	card.isSpell = slices.Contains(card.types, "Instant") || slices.Contains(card.types, "Sorcery")
	_, toughness := printed["toughness"].(float64)
	abilities := printed.records("abilities")
	switch {
	case slices.ContainsFunc(printed.texts("supertypes"), func(one string) bool { return one != "Basic" }):
		return nil, Unsupported("supertypes")
	case slices.Contains(card.types, "Creature") && !toughness:
		return nil, Unsupported("toughness")
	case card.isSpell && (len(abilities) != 1 || !dealsDamage(abilities[0])):
		return nil, Unsupported("what a spell does")
	case !card.isSpell && len(abilities) > 0:
		return nil, Unsupported(abilities[0].text("is") + " abilities")
	case card.isSpell:
		card.deals = abilities[0].records("effect")[0].number("n")
		card.hitsPlayer = abilities[0].records("targets")[0].flag("any_target")
	}
	return card, nil
}

// dealsDamage is whether an ability is exactly `deals N damage to any target` (or to target creature).
func dealsDamage(ability Record) bool {
	effects, targets := ability.records("effect"), ability.records("targets")
	if ability.text("is") != "spell" || len(effects) != 1 || len(targets) != 1 {
		return false
	}
	effect, target := effects[0], targets[0]
	to, what := effect.record("to"), target.record("what")
	_, isNumber := effect["n"].(float64)
	onlyCreatures := slices.Equal(what.texts("type"), []string{"Creature"})
	onlyCreatures = onlyCreatures && what.onlyThese("type", "who", "zones") == nil
	return effect.text("then") == "damage" && isNumber && !effect.flag("divided") &&
		to.text("who") == "the" && to.text("name") == "target" &&
		target.number("least") == 1 && target.number("most") == 1 && (target.flag("any_target") || onlyCreatures) &&
		!ability.says("additional") && !ability.says("kicked") && !ability.says("modes")
}

// newGame is YOURS: set the table. Create everything in the order of `objects`, then enter it in that of
// `setup`.
func newGame(scenario Record) (*Game, error) {
	var players []string
	for _, seat := range scenario.records("players") {
		players = append(players, seat.text("id"))
	}
	start := scenario.record("start")
	game := newEmptyGame(players, start.text("turn"), start.text("step"))
	definitions := map[string]Record{}
	for _, card := range scenario.records("cards") {
		definition := card.record("definition")
		definitions[definition.text("name")] = definition
	}
	for _, object := range scenario.records("objects") {
		if object.flag("token") {
			return nil, Unsupported("tokens")
		}
		card, err := understood(definitions[object.text("card")])
		if err != nil {
			return nil, err
		}
		owner := object.text("owner")
		thing := &Thing{id: object.text("id"), owner: owner, controller: owner, card: card}
		game.things[thing.id] = thing
		game.order = append(game.order, thing)
	}
	for _, seat := range scenario.records("players") {
		if seat.says("team") {
			return nil, Unsupported("teams")
		}
		if seat.says("counters") {
			return nil, Unsupported("counters on players")
		}
		player := seat.text("id")
		game.life[player] = seat.number("life")
		for zone := range game.zones {
			game.zones[zone][player] = seat.texts(zone)
			for _, id := range seat.texts(zone) {
				game.things[id].zone = zone
			}
		}
	}
	for _, arrival := range scenario.records("setup") {
		for _, entry := range arrival.records("entries") {
			if err := entry.onlyThese("id", "controller", "tapped", "damage", "new"); err != nil {
				return nil, err
			}
			thing := game.things[entry.text("id")]
			thing.zone, thing.controller = "battlefield", entry.text("controller")
			thing.tapped, thing.damage = entry.flag("tapped"), entry.number("damage")
		}
	}
	return game, nil
}

// act is YOURS: one action of the script. Illegal: return Rejected. Not possible to ask: return Unsupported.
func act(game *Game, action Record) error {
	thing := game.things[action.text("what")]
	switch action.text("do") {
	case "pass":
		if action.text("who") != "everyone" {
			return game.pass(action.text("who"), true)
		}
		return until(game, true, func() bool { return game.passes == 0 })
	case "settle":
		if len(game.stack) == 0 {
			return nil
		}
		return until(game, true, func() bool { return len(game.stack) == 0 })
	case "resolve":
		return until(game, true, func() bool { return !slices.Contains(game.stack, action.text("what")) })
	case "advance":
		if len(game.stack) > 0 { // the step goes on when that has resolved
			if err := until(game, true, func() bool { return len(game.stack) == 0 }); err != nil {
				return err
			}
		}
		return until(game, false, func() bool {
			itsTurn := !action.says("turn") || action.text("turn") == game.active
			return game.passes == 0 && game.step == action.text("to") && itsTurn
		})
	case "play":
		return game.playLand(thing, action.text("by"))
	case "cast":
		if err := action.onlyThese("do", "what", "by", "targets"); err != nil {
			return err
		}
		targets := []string{}
		groups, _ := action["targets"].([]any)
		for _, group := range groups {
			targets = append(targets, Record{"group": group}.texts("group")...)
		}
		return game.cast(thing, action.text("by"), targets)
	default:
		return Unsupported("the action " + action.text("do"))
	}
}

// until lets everyone pass until something is so.
func until(game *Game, attackersFollow bool, done func() bool) error {
	for count := 0; count < 1000; count++ {
		if err := game.pass(game.holder, attackersFollow); err != nil {
			return err
		}
		if done() {
			return nil
		}
	}
	return Unsupported("more than a thousand passes")
}

// look is what is seen now: of what is wanted at this look all that is known. Leave out what you don't know.
func look(game *Game, wants []Record, name string) Record {
	objects, players, table := Record{}, Record{}, Record{}
	for _, want := range wants {
		of := want.text("of")
		if want.text("look") != name {
			continue
		}
		if of == "table" {
			table = only(want, seenTable(game))
		} else if slices.Contains(game.players, of) {
			players[of] = only(want, seenPlayer(game, of))
		} else if thing := game.things[of]; thing != nil {
			objects[of] = only(want, seenThing(thing))
		}
	}
	return Record{"objects": objects, "players": players, "table": table}
}

func only(want, values Record) Record {
	found := Record{}
	for _, key := range want.texts("keys") {
		if value, known := values[key]; known {
			found[key] = value
		}
	}
	return found
}

// seenTable is YOURS: read these from your engine.
func seenTable(game *Game) Record {
	return Record{
		"turn":     game.active,
		"active":   game.active,
		"step":     game.step,
		"priority": game.holder,
		"stack":    append([]string{}, game.stack...), // bottom to top
		"over":     len(game.players)-len(game.lost) < 2,
	}
}

// seenPlayer is YOURS: read these from your engine.
func seenPlayer(game *Game, player string) Record {
	library := game.zones["library"][player]
	seen := Record{
		"life":         game.life[player],
		"library_size": len(library),
		"library_top":  nil,
		"lost":         game.lost[player],
		"land_plays":   0,
	}
	if len(library) > 0 {
		seen["library_top"] = library[0]
	}
	if player == game.active {
		seen["land_plays"] = 1 - game.landsPlayed
	}
	for _, zone := range []string{"hand", "graveyard", "exile"} {
		seen[zone] = append([]string{}, game.zones[zone][player]...)
	}
	return seen
}

// seenThing is YOURS: read these from your engine. None is nil; what is unknown is left out.
func seenThing(thing *Thing) Record {
	printed := thing.card.printed
	cost := printed.text("cost")
	manaValue := 0
	for _, symbol := range strings.FieldsFunc(cost, func(r rune) bool { return strings.ContainsRune("{}", r) }) {
		if number, err := strconv.Atoi(strings.Split(symbol, "/")[0]); err == nil {
			manaValue += number
		} else if symbol != "X" {
			manaValue++
		}
	}
	var colors any = printed["colors"]
	if colors == nil {
		found := []string{}
		for symbol, color := range symbols {
			if strings.Contains(cost, symbol) {
				found = append(found, color)
			}
		}
		colors = found
	}
	seen := Record{
		"name":       printed["name"],
		"cost":       printed["cost"],
		"mana_value": manaValue,
		"colors":     colors,
		"types":      thing.card.types,
		"subtypes":   printed["subtypes"],
		"supertypes": printed["supertypes"],
		"power":      printed["power"],
		"toughness":  printed["toughness"],
		"zone":       thing.zone,
		"owner":      thing.owner,
		"controller": nil,
		"tapped":     thing.tapped,
		"damage":     thing.damage,
	}
	if thing.zone == "battlefield" || thing.zone == "stack" {
		seen["controller"] = thing.controller
	}
	if thing.zone == "battlefield" && !thing.is("Creature") { // has no power, whatever is printed on it
		seen["power"], seen["toughness"] = nil, nil
	}
	return seen
}

// ---------------------------------------------------------------------------------- THE PROTOCOL

// play is the whole answer to a scenario, but for its number.
func play(scenario Record) (answer Record) {
	defer func() { // our own fault: say so, and go on with the next scenario
		if broken := recover(); broken != nil {
			answer = Record{"error": fmt.Sprint(broken)}
		}
	}()
	looks, tried := Record{}, Record{}
	answer = Record{"looks": looks, "tried": tried}
	at, err := perform(scenario, looks, tried)
	var rejected Rejected
	switch {
	case errors.As(err, &rejected):
		answer["stopped"] = Record{"at": at, "why": "rejected", "says": err.Error()}
	case err != nil:
		answer["stopped"] = Record{"at": at, "why": "unsupported", "says": err.Error()}
	}
	return answer
}

// perform plays the script and notes what is seen; where it stopped, and why.
func perform(scenario, looks, tried Record) (int, error) {
	game, err := newGame(scenario)
	if err != nil {
		return 0, err
	}
	wants := scenario.records("wants")
	for at, action := range scenario.records("script") {
		name := action.text("name")
		switch action.text("do") {
		case "look":
			looks[name] = look(game, wants, name)
		case "try":
			err := act(game, action.record("action"))
			var rejected Rejected
			if errors.As(err, &rejected) {
				tried[name] = "rejected"
			} else if err != nil {
				return at, err
			} else {
				tried[name] = "done"
			}
		default:
			if err := act(game, action); err != nil {
				return at, err
			}
		}
	}
	looks["end"] = look(game, wants, "end")
	return 0, nil
}

// main answers line by line; stdout belongs to the protocol, stderr is for people.
func main() {
	in := bufio.NewReader(os.Stdin)
	out := json.NewEncoder(os.Stdout) // ends each answer with a newline, and writes at once
	for {
		line, err := in.ReadBytes('\n') // a line may be long
		if errors.Is(err, io.EOF) {
			return
		}
		var request Record
		if err := json.Unmarshal(line, &request); err != nil {
			fmt.Fprintln(os.Stderr, "no request:", err)
			os.Exit(1)
		}
		switch request.text("say") {
		case "bye":
			return
		case "hello":
			out.Encode(Record{
				"protocol": 1, "name": engineName, "version": engineVersion,
				"takes": []string{"defined"}, "lacks": []string{"teams"},
				"wants_defaults": true,
			})
		default:
			answer := play(request.record("scenario"))
			answer["id"] = request["id"]
			out.Encode(answer)
		}
	}
}
