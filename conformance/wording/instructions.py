"""What spells and abilities do as they resolve.

Plain instructions are clauses, so that the same words serve an instruction ("draw a card"), a statement
("that player draws a card") and a permission ("you may draw a card"); others are sentences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from msgspec.structs import replace

from conformance.wording.choices import choice_words, chosen_noun
from conformance.wording.conditions import PHASES_ADDED, condition
from conformance.wording.costs import (
    cost_verbs,
)
from conformance.wording.created_tokens import create
from conformance.wording.english import (
    Clause,
    Noun,
    Setting,
    Verb,
    belonging_to,
    command,
    conjugated,
    finite,
    later_reference,
    number,
    objective,
    ordinal,
    permission_to,
    plural,
    possessive,
    pronoun,
    run_on,
    series,
    statement,
    things_in,
    with_article,
    with_duration,
)
from conformance.wording.events import event_words
from conformance.wording.mana import is_mana_of_one_kind, is_several, mana_added, mana_added_by, spending
from conformance.wording.manner import Transition
from conformance.wording.operations import (
    DURATIONS,
    exceptions,
    given_abilities,
    part_clauses,
)
from conformance.wording.phrases import (
    amount_of,
    describe,
    for_each,
    group,
    noun,
    noun_with_origin,
    number_with_explanation,
    object_of,
    plain_filter,
    quantity_of_noun,
)
from conformance.wording.target_words import target_noun
from conformance.wording.top_cards import looking_through, manifesting
from reference_engine.language.cards import (
    AddMana,
    AddTypes,
    All,
    Amass,
    Attach,
    BecomeMonarch,
    Beginning,
    Cannot,
    Cast,
    ChangeTarget,
    ChooseInstruction,
    Cloak,
    Connive,
    ControlPlayer,
    CopyCard,
    CopySpell,
    Cost,
    Counters,
    CounterSpell,
    Create,
    Damage,
    Destroy,
    Discard,
    Discover,
    Draw,
    Effect,
    Emblem,
    EndTurn,
    ExchangeControl,
    Exile,
    ExileUntilFound,
    Explore,
    ExtraPhases,
    ExtraStep,
    ExtraTurn,
    Fight,
    Filter,
    ForEachPlayer,
    GainLife,
    If,
    Instruction,
    It,
    ItBecomes,
    Later,
    LockDoor,
    LookAt,
    LookThrough,
    LoseGame,
    LoseLife,
    Manifest,
    ManifestDread,
    Matches,
    May,
    Mill,
    Mode,
    MoveCounters,
    OneOfInstruction,
    OwnerOf,
    PhaseOut,
    PropertyOf,
    Put,
    PutCounters,
    PutSameCounters,
    Quantity,
    Regenerate,
    RemoveCounters,
    RemoveFromCombat,
    Reveal,
    Sacrifice,
    Saddle,
    Scry,
    Search,
    Selector,
    SetLevel,
    SkipNext,
    Surveil,
    Tap,
    TargetSpec,
    The,
    This,
    Transform,
    TurnFace,
    Unattach,
    UnlockDoor,
    Untap,
    WhenYouDo,
    WinGame,
    You,
)
from reference_engine.language.words import (
    CHOSEN_COLOR,
    Zone,
)

# ------------------------------------------------------------------------------ instructions


def sentences_of(effect: Sequence[Instruction], setting: Setting) -> list[str]:
    """What a spell or ability does, as sentences without capitals and periods."""
    said: list[str] = []
    several_colors = False
    before: Instruction | None = None
    of_choice: Instruction | None = None
    number_of_it = 0
    rest = list(effect)
    while rest:
        choices = chosen_together(rest)
        instruction = rest.pop(0)
        if len(choices) > 1:
            del rest[: len(choices) - 1]
            said.append(f"choose {series(choice_words(choice, setting) for choice in choices)}")
            setting = setting_after(replace(choices[0], most=len(choices)), setting)
            continue
        choice = choice_in_next(instruction, rest)
        if choice is not None:
            setting = naming(choice, setting)
            continue
        if is_chosen_later(instruction, rest, setting):
            of_choice = instruction
            continue
        turn = setting.manner.turn(number_of_it)
        number_of_it += 1
        words = linked_sentences(instruction, before, turn, setting)
        link = (turn.link or connective(instruction, before)) if said and len(words) == 1 else ". "
        if link == ". Then ":
            words = [f"then {words[0]}"]
        elif link != ". ":
            words = [f"{explained_once(said.pop(), words[0])}{link}{words[0]}"]
        before = instruction
        if of_choice is not None:
            words = [words_of_choice(text, of_choice) for text in words]
        said += [text.replace(CHOSEN_COLOR, f"{CHOSEN_COLOR}s") if several_colors else text for text in words]
        if isinstance(instruction, ChooseInstruction):
            several_colors |= instruction.kind == "color" and instruction.most > 1
        setting = setting_after(instruction, setting)
    return said


def is_chosen_later(instruction: Instruction, rest: Sequence[Instruction], setting: Setting) -> bool:
    """Whether a colour or type is chosen where it is used: "the color of your choice"."""
    match instruction:
        case ChooseInstruction("color" | "type", None, You(), 1, 1, never=never, among=None):
            return setting.manner.choosing and bool(rest) and not never
        case _:
            return False


def words_of_choice(text: str, choice: Instruction) -> str:
    """A sentence with a chosen colour or type as one "of your choice"."""
    if not isinstance(choice, ChooseInstruction):
        return text
    kind = choice.of or choice.kind
    return text.replace(f"the chosen {choice.kind}", f"the {kind} of your choice")


def explained_once(text: str, following: str) -> str:
    """A clause without the explanation of its letter, if the next clause ends with the same one."""
    _, found, meaning = following.rpartition(", where ")
    return text.removesuffix(f", where {meaning}") if found else text


def linked_sentences(
    instruction: Instruction, before: Instruction | None, turn: Transition, setting: Setting
) -> list[str]:
    """One instruction as sentences without capitals, linked to the one before in this way."""
    inside = setting.spoken("again" if turn.spoken == "once" else turn.spoken)
    if turn.same_subject and before is not None and doer(instruction) == doer(before) is not None:
        plain = clauses(instruction, inside)
        if len(plain) == 1:
            (clause,) = plain
            verbs = series(conjugated(verb.text, clause.subject) for verb in clause.verbs)
            return [with_duration(verbs, clause)]
    if turn.spoken == "once":
        return [with_pronouns_after(text, setting) for text in sentences(instruction, inside)]
    return sentences(instruction, inside)


def with_pronouns_after(text: str, setting: Setting) -> str:
    """A sentence in which only the first mention of each thing is a noun: "… equal to its power"."""
    for named in dict.fromkeys(one for one in setting.full.values() if one.person == "thing"):
        first, found, rest = text.partition(named.text)
        if found:
            short = pronoun(named)
            rest = rest.replace(possessive(named), possessive(short)).replace(named.text, objective(short))
            text = first + found + rest
    return text


def doer(instruction: Instruction) -> Selector | None:
    """The subject of an instruction."""
    match instruction:
        case (
            Draw(_, who)
            | Discard(_, who)
            | Mill(_, who)
            | Scry(_, who)
            | Surveil(_, who)
            | GainLife(_, who)
            | LoseLife(_, who)
            | Sacrifice(_, who)
        ):
            return who
        case Create(who=who):
            return who
        case Effect(affects) | Damage(by=affects):
            return affects
        case _:
            return None


def connective(instruction: Instruction, before: Instruction | None) -> str:
    """The word between small steps that share a sentence: "draw two cards, then discard two cards"."""
    match before, instruction:
        case Draw(), Discard():
            return ", then "
        case Draw() | GainLife() | LoseLife(), GainLife() | LoseLife() | Create():
            return " and "
        case _:
            return ". "


def chosen_together(effect: Sequence[Instruction]) -> list[ChooseInstruction]:
    """Your choices of objects at the start that share a name: "choose a Plains and an Island"."""
    choices: list[ChooseInstruction] = []
    for instruction in effect:
        match instruction:
            case ChooseInstruction("object", All(), You(), 1, 1, name) if (
                not choices or choices[0].name == name
            ):
                choices.append(instruction)
            case _:
                break
    return choices


def setting_after(instruction: Instruction, setting: Setting) -> Setting:
    """The setting after an instruction."""
    known = setting.after(instruction)
    match instruction:
        case If(_, effect, otherwise) | May(effect=effect, otherwise=otherwise):
            for inner in (*effect, *otherwise):
                known = setting_after(inner, known)
            return known
        case _:
            return setting.after(instruction, things_introduced(instruction, known))


def choice_in_next(instruction: Instruction, following: Sequence[Instruction]) -> ChooseInstruction | None:
    """A choice that can be part of the next instruction: "sacrifice a creature you control"."""
    match instruction, following:
        case ChooseInstruction("object", All(), You(), name=name), [
            Put(what)
            | Destroy(what)
            | Exile(what)
            | Sacrifice(what)
            | Tap(what)
            | Untap(what)
            | Cast(what)
            | Manifest(_, what)
            | Cloak(_, what),
            *_,
        ]:
            return instruction if what == The(name) else None
        case _:
            return None


def naming(choice: ChooseInstruction, setting: Setting) -> Setting:
    """The setting in which a choice is described where its object is first mentioned."""
    several = choice.most != 1
    what = noun(choice.what or All(), setting, "many" if several else "some")
    first = replace(what, text=choice_words(choice, setting), many=several)
    return setting.with_words({The(choice.name): first}, {The(choice.name): later_reference(first)})


UNNAMED = ""


def things_introduced(instruction: Instruction, setting: Setting) -> dict[Selector, Noun]:
    """The things that an instruction names, and how to refer to them afterwards."""
    match instruction:
        case Exile(what, str(name)):
            return {The(name): later_reference(replace(noun(what, setting), zone="exile"))}
        case Put(what, to, name=str(name)):
            return {The(name): later_reference(replace(noun(what, setting), zone=to))}
        case Create(name=name, n=n):
            # Without a name, too, the token is what was mentioned last.
            return {The(name or UNNAMED): Noun("that token" if n == 1 else "those tokens", many=n != 1)}
        case Manifest(n, None, _, name) | Cloak(n, None, _, name):
            return {The(name): Noun("that creature" if n == 1 else "those creatures", many=n != 1)}
        case ManifestDread(_, name):
            return {The(name): Noun("that creature", head="creature")}
        case Reveal(what, name):
            return {
                The(name): later_reference(noun(what, setting)),
                what: later_reference(noun(what, setting)),
            }
        case CounterSpell(what, name):
            return {The(name): later_reference(noun(what, setting))}
        case Cast(name=name):
            return {The(name): Noun("that spell", head="spell", zone="stack")}
        case CopyCard(name=name):
            return {The(name): Noun("the copy", zone="exile")}
        case LookAt(All(top=True) as what):
            return {what: later_reference(noun(what, setting))}
        case ChooseInstruction():
            return {The(instruction.name): chosen_noun(instruction, setting)}
        case _:
            return {}


def sentences(instruction: Instruction, setting: Setting) -> list[str]:
    """One instruction as sentences without capitals and periods."""
    match instruction:
        case May():
            return may(instruction, setting)
        case If(cond, effect, otherwise):
            known = setting.after(cond)
            if isinstance(cond, Matches) and not isinstance(cond.who, All):
                known = known.with_words({cond.who: pronoun(noun(cond.who, known))})
            said = [f"if {condition(cond, setting)}, {run_on(sentences_of(effect, known))}"]
            if setting.manner.behind:
                done = run_on(sentences_of(effect, setting))
                mentioned = setting.after(effect).spoken("it")
                said = [f"{done} if {condition(cond, mentioned)}"]
            return said + ([f"otherwise, {run_on(sentences_of(otherwise, known))}"] if otherwise else [])
        case Later(effect=(CopySpell(new_targets=True),)):
            copies, _, targets = delayed_effect(instruction, setting).rpartition(", then ")
            return [copies, targets]
        case Later():
            return [delayed_effect(instruction, setting)]
        case WhenYouDo(effect, targets):
            return [
                f"when {'you do' if noun(You(), setting).person == 'you' else 'they do'}, {said}"
                for said in [run_on(with_targets(effect, targets, setting))]
            ]
        case ForEachPlayer(who, effect):
            each = noun(who, setting, "each")
            doing = sentences_of(effect, setting.with_words({You(): each}, {You(): later_reference(each)}))
            return doing or [f"{each.text} {conjugated('do', each)} nothing"]
        case LookThrough():
            return looking_through(instruction, setting)
        case OneOfInstruction(
            (Mode((Put(one, "library"),)), Mode((Put(other, "library", bottom=True),))), who
        ) if one == other and who == OwnerOf(one):
            owner = noun(who, setting)
            puts = conjugated("put", owner)
            return [f"{owner.text} {puts} {objective(pronoun(noun(one, setting)))} on their choice of {ENDS}"]
        case Effect(affects, does) if setting.manner.still and any(
            isinstance(op, AddTypes) and "Creature" in op.types for op in does
        ):
            subject = noun(affects, setting, "subject")
            plain = clauses(instruction, setting)
            if setting.manner.in_front and len(plain) == 1 and plain[0].during:
                becomes = f"{plain[0].during.strip()}, {finite(replace(plain[0], during=''))}"
            else:
                becomes = series(map(finite, plain))
            return [becomes, "they're still lands" if subject.many else "it's still a land"]
        case _:
            plain = clauses(instruction, setting)
            if setting.manner.in_front and len(plain) == 1 and plain[0].during:
                return [f"{plain[0].during.strip()}, {finite(replace(plain[0], during=''))}"]
            return [finite(clause) for clause in plain]


def may(instruction: May, setting: Setting) -> list[str]:
    """What a player may do; the first thing is said directly, if possible: "you may draw a card"."""
    who = noun(instruction.who, setting, "some")
    known = setting.after(instruction.who)
    do, don_t = ("you do", "you don't") if who.person == "you" else ("they do", "they don't")
    effect = list(instruction.effect)
    results: list[str] = []
    if instruction.cost:
        pays = cost_verbs(instruction.cost, setting)
        if not effect and len(instruction.otherwise) == 1 and clauses(instruction.otherwise[0], setting):
            (threat,) = sentences_of(instruction.otherwise, setting)[-1:]
            # The payer comes after the threat, so it can be "its controller".
            inside = setting_after(instruction.otherwise[0], setting).spoken("it")
            who = noun(instruction.who, inside, "some")
            price = series(conjugated(pay, who) for pay in pays)
            return [f"{threat} unless {who.text} {price}{number_of_times(instruction.times, inside)}"]
        said = [f"{who.text} may {series(pays)}{number_of_times(instruction.times, setting)}"]
    elif effect:
        choice = choice_in_next(effect[0], effect[1:2])
        if choice is not None:
            known = naming(choice, known)
            effect.pop(0)
        first = effect.pop(0)
        does = clauses(first, known)
        doing = run_on(sentences(first, known))
        said = [permission_to(does[0], who) if does else f"{who.text} may choose to do this: {doing}"]
        results = [finite(clause) for clause in does[1:]]
        known = setting_after(first, known)
    else:
        said = [f"{who.text} may choose to do nothing"]
    results += sentences_of(effect, known)
    if effect and isinstance(effect[0], WhenYouDo):
        said += results
    elif results and setting.manner.together and not instruction.cost:
        said[-1] += f" and {run_on(results)}"
    elif results and setting.manner.through and not instruction.cost:
        said[-1] += f", then {run_on(results)}"
    elif results:
        # What is then true of something is a sentence of its own: "If you do, tap target creature. It …".
        last = effect[-1] if len(results) == len(effect) > 1 else None
        apart = 1 if isinstance(last, Effect) and isinstance(last.affects, The) else 0
        at_once = len(results) - apart
        said += [f"if {do}, {run_on(results[:at_once])}", *results[at_once:]]
    if instruction.otherwise:
        said.append(f"if {don_t}, {run_on(sentences_of(instruction.otherwise, known))}")
    return said


def number_of_times(n: Quantity, setting: Setting) -> str:
    """How many times a cost is paid: " for each age counter on it"."""
    if n == 1:
        return ""
    each = for_each(n, setting)
    if each is not None and each[0] == 1:
        return each[1]
    times = times_copied(n, setting)
    return f" {times.text.strip()}{times.tail}"


def delayed_effect(instruction: Later, setting: Setting) -> str:
    """What happens at a later event: "when", not "whenever", because it happens once (CR 603.7b)."""
    opening, inside = event_words(instruction.when, setting, each=instruction.each)
    casting = "whenever you cast "
    if instruction.this_turn and opening.startswith(casting):
        opening = f"when you next cast {opening.removeprefix(casting)} this turn"
    elif instruction.this_turn:
        opening = f"the next time {opening.removeprefix('whenever ').removeprefix('when ')} this turn"
    elif instruction.each:
        opening += " this turn"
    elif opening.startswith("whenever "):
        opening = opening.replace("whenever", "when", 1)
    if instruction.cond is not None:
        opening += f", if {condition(instruction.cond, inside)}"
    said = sentences_of(instruction.effect, inside)
    if isinstance(instruction.when, Beginning) and len(said) == 1 and "," not in opening:
        return f"{said[0]} {opening}"
    return f"{opening}, {run_on(said)}"


def clauses(instruction: Instruction, setting: Setting) -> list[Clause]:
    """A plain instruction as clauses; empty if it needs sentences of another form."""
    you = noun(You(), setting)
    match instruction:
        case Effect(affects, (Cannot(do),), "next untap step", None) if do == {"untap"}:
            kept = noun(affects, setting, "subject")
            whose = "their controllers' next untap steps" if kept.many else "its controller's next untap step"
            return [statement(kept, f"don't untap during {whose}")]
        case Effect(affects, does, until, as_long_as):
            during = DURATIONS[until]
            if as_long_as is not None:
                about = setting.about(affects, pronoun(noun(affects, setting, "subject")))
                during += f" for as long as {condition(as_long_as, about)}"
            return part_clauses(affects, does, setting, static=False, during=during)
        case Damage():
            return [damage(instruction, setting)]
        case Draw(n, who):
            return [counted_action(who, "draw", n, "card", setting)]
        case Discard(PropertyOf("hand_size", of), who) if of == who:
            each = noun(who, setting, "each")
            return [command(each, f"discard {possessive(pronoun(each))} hand")]
        case Discard(n, who, at_random):
            thrown = counted_action(who, "discard", n, "card", setting)
            if at_random:
                (throwing,) = thrown.verbs
                thrown = replace(thrown, verbs=(Verb(f"{throwing.text} at random", throwing.tail),))
            return [thrown]
        case GainLife(n, who) | LoseLife(n, who):
            each = noun(who, setting, "each")
            life = amount_of(n, "life", setting.about(who, pronoun(each)))
            verb = "gain" if isinstance(instruction, GainLife) else "lose"
            return [Clause(each, (Verb(f"{verb} {life.text}", life.tail),))]
        case Destroy(what, for_good):
            thing = noun(what, setting)
            destroyed = command(you, f"destroy {objective(thing)}")
            never = statement(pronoun(thing), "can't be regenerated")
            return [destroyed, never] if for_good else [destroyed]
        case Exile(All(zones=zones, top=False) as what, _, False) if zones == {"graveyard"}:
            return [
                command(
                    you, f"exile {noun_with_origin(Noun(cards_looked_at(what, setting), zone='graveyard'))}"
                )
            ]
        case Exile(what, _, until_leaves):
            exiled = f"exile {noun_with_origin(noun(what, setting))}"
            lasting = f" until {setting.itself} leaves the battlefield" if until_leaves else ""
            return [command(you, exiled + lasting)]
        case Sacrifice(what, who, n):
            things = (
                number_of_objects(n, what, setting)
                if isinstance(what, All)
                else Verb(object_of(what, setting))
            )
            sacrificer = noun(who, setting, "each")
            choice = " of their choice" if isinstance(what, All) and sacrificer.person != "you" else ""
            return [command(sacrificer, f"sacrifice {things.text}{choice}", things.tail)]
        case CounterSpell(what):
            return [command(you, f"counter {object_of(what, setting)}")]
        case Tap(what):
            return [command(you, f"tap {object_of(what, setting)}")]
        case Untap(what):
            return [command(you, f"untap {object_of(what, setting)}")]
        case Saddle(what):
            return [statement(noun(what, setting, "all"), "become saddled", " until end of turn")]
        case Unattach(what):
            return [command(you, f"unattach {object_of(what, setting)}")]
        case TurnFace(what, face, does):
            thing = noun(what, setting)
            inside = setting.with_words({It(): pronoun(thing)})
            turned = command(you, f"turn {objective(thing)} face {face}")
            return [turned, *part_clauses(It(), does, inside, static=True)] if does else [turned]
        case Transform(what):
            return [command(you, f"transform {object_of(what, setting)}")]
        case PhaseOut(what):
            return [statement(noun(what, setting, "all"), "phase out")]
        case Put():
            return put_clauses(instruction, setting)
        case PutCounters((Counters(kind, PropertyOf("counters", of, of_kind)),), on) if (
            setting.manner.doubling and of == on and of_kind == kind
        ):
            return [command(you, f"double the number of {kind} counters on {each_of_them(on, setting)}")]
        case PutCounters(counters, on, True):
            shared = piles(counters, setting)
            return [
                command(you, f"distribute {shared.text} among {object_of(on, setting, 'each')}", shared.tail)
            ]
        case MoveCounters(counters, of, on):
            moved, onto = piles(counters, setting), object_of(on, setting, "some")
            return [command(you, f"move {moved.text} from {object_of(of, setting)} onto {onto}", moved.tail)]
        case PutSameCounters(of, on):
            theirs = belonging_to(noun(of, setting), "counters")
            return [command(you, f"put {theirs} on {object_of(on, setting, 'some')}")]
        case PutCounters(counters, on):
            about = setting if isinstance(on, All) else setting.about(on, pronoun(noun(on, setting)))
            pile = piles(counters, about)
            return [command(you, f"put {pile.text} on {each_of_them(on, setting)}", pile.tail)]
        case RemoveCounters(counters, on, every):
            kinds = series(f"{pile.kind} counters" for pile in counters)
            pile = Verb(f"all {kinds or 'counters'}") if every else piles(counters, setting)
            whose = object_of(on, setting, "all" if every else "each")
            return [command(you, f"remove {pile.text} from {whose}", pile.tail)]
        case Create():
            return [create(instruction, setting)]
        case AddMana(mana, n, who, mixed, only, rider):
            added = mana_added(mana, n, setting, mixed)
            adding = command(noun(who, setting, "each"), f"add {added.text}", added.tail)
            return [adding, *spending(only, rider, is_several(instruction), setting)]
        case LookAt(what):
            return [command(you, f"look at {cards_looked_at(what, setting)}")]
        case Reveal(what):
            return [command(you, f"reveal {cards_looked_at(what, setting)}")]
        case Mill(n, who):
            return [counted_action(who, "mill", n, "card", setting)]
        case Scry(n, who) | Surveil(n, who):
            each = noun(who, setting, "each")
            number_seen = amount_of(n, "", setting.about(who, pronoun(each)))
            verb = "scry" if isinstance(instruction, Scry) else "surveil"
            return [Clause(each, (Verb(f"{verb} {number_seen.text.strip()}", number_seen.tail),), order=True)]
        case Discover(n):
            number_found = amount_of(n, "", setting)
            return [command(you, f"discover {number_found.text.strip()}", number_found.tail)]
        case ExileUntilFound(what):
            wanted = with_article(describe(what, setting, "card").phrase(False))
            return [command(you, f"exile cards from the top of your library until you exile {wanted}")]
        case Fight(one, other):
            fighter = noun(one, setting, "each")
            inside = setting.about(one, pronoun(fighter))
            other_words = "itself" if other == one else object_of(other, inside, "some")
            return [statement(fighter, f"fight {other_words}")]
        case Search():
            return [search(instruction, setting)]
        case ChooseInstruction():
            chooser = noun(instruction.who, setting, "each")
            return [command(chooser, f"choose {choice_words(instruction, setting)}")]
        case CopySpell(what, n, new_targets, but):
            copied = times_copied(n, setting)
            but_for = exceptions(but, Noun("the copy") if n == 1 else Noun("the copies", many=True), setting)
            first = command(you, f"copy {object_of(what, setting)}{copied.text}", copied.tail + but_for)
            choosing = statement(you, f"may choose new targets for {'the copy' if n == 1 else 'the copies'}")
            return [first, choosing] if new_targets else [first]
        case Cast(what, who, cost, such):
            return [cast(objective(spell_from(noun(what, setting))), noun(who, setting), cost, such, setting)]
        case CopyCard(what):
            return [command(you, f"copy {object_of(what, setting)}")]
        case ChangeTarget(what, must):
            change = "change the target of" if must else "choose new targets for"
            return [command(you, f"{change} {object_of(what, setting)}")]
        case Attach(what, to):
            return [command(you, f"attach {object_of(what, setting)} to {object_of(to, setting, 'some')}")]
        case ExchangeControl(one, other, until):
            both = object_of(one, setting, "some")
            if other is not None:
                both += f" and {object_of(other, setting, 'some')}"
            return [command(you, f"exchange control of {both}", during=DURATIONS[until])]
        case RemoveFromCombat(what):
            return [command(you, f"remove {object_of(what, setting)} from combat")]
        case Regenerate(what):
            return [command(you, f"regenerate {object_of(what, setting, 'each')}")]
        case SetLevel(n):
            return [statement(Noun(belonging_to(noun(This(), setting), "level")), f"become {n}")]
        case ExtraTurn(who):
            return [command(noun(who, setting, "each"), "take an extra turn after this one")]
        case ExtraPhases(phases, yours):
            more = " followed by ".join(with_article(PHASES_ADDED[phase]) for phase in phases) or "no phase"
            if not yours:
                return [statement(Noun("there"), f"are {more}", " after this phase")]
            return [statement(you, f"get {more}", " after this phase")]
        case ExtraStep(step):
            return [statement(Noun("there"), f"are {with_article(PHASES_ADDED[step])}", " after this step")]
        case SkipNext(what, who):
            each = noun(who, setting, "each")
            skipped = {"turn": "turn", "combat": "combat phase"}.get(what, f"{what} step")
            return [said_of(each, f"skip {possessive(pronoun(each))} next {skipped}", setting)]
        case EndTurn():
            return [command(you, "end the turn")]
        case OneOfInstruction(options, who) if is_mana_of_one_kind(options):
            either = series(
                (mana_added(one.mana, one.n, setting).text for one in mana_added_by(options)), "or"
            )
            first_kind = mana_added_by(options)[0]
            adding = command(noun(who, setting, "each"), f"add {either}")
            several = is_several(first_kind)
            return [adding, *spending(first_kind.only, first_kind.rider, several, setting)]
        case OneOfInstruction((Mode((Tap(one),), ()), Mode((Untap(other),), ())), You()) if one == other:
            return [command(you, f"tap or untap {object_of(one, setting)}")]
        case OneOfInstruction(options, who):
            bodies = [run_on(with_targets(option.effect, option.targets, setting)) for option in options]
            return [command(noun(who, setting, "each"), f"choose one — {series(bodies, 'or') or 'nothing'}")]
        case Explore(what):
            return [statement(noun(what, setting, "all"), "explore")]
        case Connive(what, n):
            conniver = noun(what, setting, "all")
            number_drawn = amount_of(n, "", setting.about(what, pronoun(conniver)))
            much = "" if n == 1 else f" {number_drawn.text.strip()}"
            return [statement(conniver, f"connive{much}", number_drawn.tail)]
        case UnlockDoor(what) | LockDoor(what):
            verb = "unlock a locked" if isinstance(instruction, UnlockDoor) else "lock an unlocked"
            return [command(you, f"{verb} door of {object_of(what, setting, 'each')}")]
        case Manifest() | Cloak() | ManifestDread():
            return [manifesting(instruction, setting)]
        case Amass(n, kind):
            number_put = amount_of(n, "", setting)
            return [command(you, f"amass {plural(kind)} {number_put.text.strip()}", number_put.tail)]
        case Emblem(abilities, who):
            has = given_abilities(abilities, Noun("emblem", head="emblem"), setting)
            return [statement(noun(who, setting, "each"), f"get an emblem with {has}")]
        case WinGame(who):
            return [statement(noun(who, setting, "each"), "win the game")]
        case LoseGame(who):
            return [statement(noun(who, setting, "each"), "lose the game")]
        case ControlPlayer(who):
            controlled = noun(who, setting, "each")
            during = f" during {possessive(later_reference(controlled))} next turn"
            return [statement(you, f"control {objective(controlled)}", during)]
        case ItBecomes(what):
            return [statement(Noun("it"), f"become {what}")]
        case BecomeMonarch(who):
            return [statement(noun(who, setting, "each"), "become the monarch")]
        case May() | If() | Later() | WhenYouDo() | ForEachPlayer() | LookThrough():
            return []
        case _:
            assert_never(instruction)


def said_of(who: Noun, text: str, setting: Setting) -> Clause:
    """A player's action, with the subject "you" if the manner names it."""
    return Clause(who, (Verb(text),), order=not setting.manner.you)


def counted_action(who: Selector, verb: str, n: Quantity, one: str, setting: Setting) -> Clause:
    """A player does something with a number of things: "target player draws two cards"."""
    each = noun(who, setting, "each")
    things = quantity_of_noun(n, one, setting.about(who, pronoun(each)))
    return Clause(each, (Verb(f"{verb} {things.text}", things.tail),), order=not setting.manner.you)


def cast(what: str, who: Noun, cost: tuple[Cost, ...] | None, such: Filter, setting: Setting) -> Clause:
    """A card cast while something resolves."""
    price = ""
    if cost is not None:
        price = " without paying its mana cost"
        if cost:
            paid = series(verb.replace("pay", "paying", 1) for verb in cost_verbs(cost, setting))
            price = f" by {paid} rather than paying its mana cost"
    tail = ""
    if such != Filter():
        tail = f" if it's {with_article(describe(such, setting, 'spell').phrase(False))}"
    return command(who, f"cast {what}{price}", tail)


def spell_from(card: Noun) -> Noun:
    """A card to be cast, with the place it is cast from: "a creature spell from your hand"."""
    words = noun_with_origin(card)
    return (
        replace(card, text=words.replace(" card ", " spell ", 1)) if words.startswith(("a ", "an ")) else card
    )


def number_of_objects(n: Quantity, what: All, setting: Setting) -> Verb:
    """A number of objects that fit a description: "a creature", "two other creatures"."""
    return number_with_explanation(
        n, group(what, setting, "some").text, group(what, setting, "many").text, setting
    )


def each_of_them(what: Selector, setting: Setting) -> str:
    """Objects that something is done to one by one: "each of up to two target creatures"."""
    spoken = noun(what, setting, "each")
    several = isinstance(what, The) and spoken.many and spoken.person == "thing"
    return f"each of {objective(spoken)}" if several else objective(spoken)


def damage(instruction: Damage, setting: Setting) -> Clause:
    """A damage instruction as a clause."""
    source = noun(instruction.by, setting, "each")
    inside = setting.about(instruction.by, pronoun(source))
    much = amount_of(instruction.n, "damage", inside)
    amount, found, meaning = much.text.partition(" equal to ")
    if instruction.to == instruction.by:
        to = "itself"
    elif instruction.divided or instruction.evenly:
        to = object_of(instruction.to, inside, "each")
    else:
        to = each_of_them(instruction.to, inside)
    if instruction.also is not None:
        others = "itself" if instruction.also == instruction.by else each_of_them(instruction.also, inside)
        to = f"{to} and {others}"
    way = "divided as you choose among" if instruction.divided else "to"
    way = "divided evenly, rounded down, among" if instruction.evenly else way
    if found and setting.manner.equal == "after":
        return Clause(source, (Verb(f"deal {amount} {way} {to} equal to {meaning}", much.tail),))
    return Clause(source, (Verb(f"deal {much.text} {way} {to}", much.tail),))


def put_clauses(instruction: Put, setting: Setting) -> list[Clause]:
    """Clauses that move objects to a zone."""
    what, to = instruction.what, instruction.to
    thing = noun(what, setting)
    returned = setting.manner.returned and thing.zone == "exile"
    back = thing.zone == "graveyard" or (to == "hand" and thing.zone == "battlefield") or returned
    if to == "battlefield" and instruction.under == You() and " in " in thing.text and not thing.yours:
        # A card from somebody else's graveyard is put under the control of the player who puts it.
        taken_over = (
            f"put {noun_with_origin(thing)} onto the battlefield{' tapped' if instruction.tapped else ''}"
        )
        if thing.zone == "graveyard" and not (
            instruction.counters or instruction.does or instruction.attacking
        ):
            return [command(noun(You(), setting), f"{taken_over} under your control")]
    if isinstance(what, This) and thing.zone == "graveyard" and thing.text.startswith("this "):
        thing = replace(thing, text=f"{thing.text} in your graveyard", yours=True)
    home = homes(what, thing, to, setting)
    piled = Verb("")
    match to:
        case "battlefield":
            how = [
                word
                for word, is_so in (("tapped", instruction.tapped), ("attacking", instruction.attacking))
                if is_so
            ]
            where = (
                ("return {} to" if back else "put {} onto")
                + " the battlefield"
                + "".join(f" {series(how)}" if how else "")
            )
            if returned and isinstance(instruction.under, You):
                where += " under your control"
            if not isinstance(instruction.under, You):
                each = setting.about(what, pronoun(thing))
                each = each.with_words({It(): pronoun(thing)}) if isinstance(what, All) else each
                where += f" under {belonging_to(noun(instruction.under, each), 'control')}"
            if instruction.counters:
                piled = piles(instruction.counters, setting)
                where += f" with {piled.text} on {objective(pronoun(thing))}"
        case "hand":
            where = f"{'return {} to' if back else 'put {} into'} {home}"
        case "library":
            spot = "the bottom" if instruction.bottom else "top"
            where = f"shuffle {{}} into {home}" if instruction.shuffled else f"put {{}} on {spot} of {home}"
            where += " in a random order" if instruction.at_random else ""
        case "graveyard":
            where = f"put {{}} into {home}"
        case "exile":
            where = "exile {}"
        case "stack" | "command":
            where = "put {} " + ("onto the stack" if to == "stack" else "into the command zone")
        case _:
            assert_never(to)
    spoken = cards_looked_at(what, setting) if instruction.shuffled else noun_with_origin(thing)
    moved = command(noun(You(), setting), where.replace("{}", spoken), piled.tail)
    if not instruction.does:
        return [moved]
    there = pronoun(replace(thing, zone=to))
    return [moved, *part_clauses(It(), instruction.does, setting.with_words({It(): there}), static=True)]


def homes(what: Selector, thing: Noun, zone: Zone, setting: Setting) -> str:
    """The hand, library or graveyard that an object goes to."""
    if isinstance(what, All) and what.of is not None:
        return belonging_to(pronoun(noun(what.of, setting, "each")), zone)
    if thing.yours:
        return f"your {zone}"
    return f"their owners' {plural(zone)}" if thing.many else f"its owner's {zone}"


def piles(counters: Sequence[Counters], setting: Setting, more: str = "") -> Verb:
    """Counters to put or remove: "a +1/+1 counter and two charge counters"."""
    several = [
        quantity_of_noun(pile.n, f"{more}{pile.kind} counter", setting, i)
        for i, pile in enumerate(
            counters,
        )
    ]
    tails = [pile.tail for pile in several if pile.tail]
    tail = " and".join([*tails[:1], *(one.removeprefix(", where") for one in tails[1:])])
    return Verb(series(pile.text for pile in several) or "no counters", tail)


def cards_looked_at(what: Selector, setting: Setting) -> str:
    """Cards to look at or reveal; a whole hand is "target player's hand"."""
    match what:
        case All(zones=zones, of=of, top=False) if (
            len(zones) == 1 and of is not None and plain_filter(what) == Filter()
        ):
            (zone,) = zones
            if zone in ("hand", "library", "graveyard"):
                return belonging_to(noun(of, setting, "each"), zone)
        case _:
            pass
    return object_of(what, setting)


def search(instruction: Search, setting: Setting) -> Clause:
    """A clause that searches a library and then shuffles it."""
    who = noun(instruction.who, setting, "each")
    their = possessive(pronoun(who))
    wanted = describe(instruction.what, setting, "card")
    one = instruction.n == 1
    what = (
        with_article(wanted.phrase(False)) if one else f"up to {number(instruction.n)} {wanted.phrase(True)}"
    )
    them = "it" if one else "them"
    tapped = " tapped" if instruction.tapped else ""
    # Cards say to reveal a card with a stated quality; nothing that we ask of an engine depends on it.
    reveal = f"reveal {them}, " if instruction.what != Filter() else ""
    places: dict[Zone, str] = {
        "battlefield": f"put {them} onto the battlefield{tapped}",
        "stack": f"put {them} onto the stack{tapped}",
        "hand": f"{reveal}put {them} into {their} hand",
        "graveyard": f"put {them} into {their} graveyard",
        "exile": f"exile {them}",
        "command": f"put {them} into the command zone",
    }
    if instruction.to == "library":
        put = f"{reveal}then {conjugated('shuffle', who)} and {conjugated(f'put {them} on top', who)}"
        return command(who, f"search {their} library for {what}, {put}")
    does, last = (conjugated(step, who) for step in (places[instruction.to], "shuffle"))
    return command(who, f"search {their} library for {what}, {does}, then {last}")


ENDS = "the top or bottom of their library"
"""Where an owner may put a card."""


def times_copied(n: Quantity, setting: Setting) -> Verb:
    """How many times something is done; empty for once."""
    if isinstance(n, int):
        return Verb({1: "", 2: " twice"}.get(n, f" {number(n)} times"))
    often = quantity_of_noun(n, "time", setting)
    return Verb(f" {often.text.replace('a time', 'once')}", often.tail)


# ---------------------------------------------------------------------------------- targets


def with_targets(effect: Sequence[Instruction], targets: Sequence[TargetSpec], setting: Setting) -> list[str]:
    """Instructions with their targets; targets that no instruction mentions are still chosen."""
    first: dict[Selector, Noun] = {}
    for spec in targets:
        first[The(spec.name)] = target_noun(spec, setting.with_words(first))
    full = {who: later_reference(spoken) for who, spoken in first.items()}
    alike = [spoken.text for spoken in full.values()]
    for number_of_it, (who, spoken) in enumerate(full.items(), 1):
        if alike.count(spoken.text) > 1:
            full[who] = later_reference(spoken, f"the {ordinal(number_of_it)}")
    filters = [replace(spec.what, other_than=None) for spec in targets if spec.what is not None]
    in_targets = {thing for thing in things_in(tuple(filters)) if type(thing) is The}
    spoken_of = {thing for thing in things_in(tuple(effect)) if type(thing) is The}
    unspoken = [who for who in first if who not in spoken_of and who not in in_targets]
    known = {who: full[who] for who in first if who in unspoken or who in in_targets}
    inside = setting.with_words({**first, **known}, full)
    return [*(f"choose {first[who].text}" for who in unspoken), *sentences_of(effect, inside)]
