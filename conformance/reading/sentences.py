"""Reads the sentences of which an effect consists, and joins those that belong together."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from conformance.reading.conditions import as_filter, condition
from conformance.reading.costs import cost_verbs, discard_cost, mana, numbered, tapped_others
from conformance.reading.events import begins
from conformance.reading.grammar import (
    list_in_sentence,
    matching,
    one_of,
    parse,
    perhaps,
    rule,
    whether,
    with_separators,
)
from conformance.reading.instructions import (
    END_OF_COMBAT,
    InstructionDraft,
    actions_of,
    continuous_effect,
    dealt,
    during,
    later_said,
    much,
    player_act,
    said,
    statements,
    victim,
)
from conformance.reading.library import (
    RestOfThem,
    TakenFromThem,
    TopCards,
    rest_place,
    such_cards,
    taken_such,
    taken_to,
)
from conformance.reading.operations import (
    verbs,
)
from conformance.reading.phrases import (
    article,
    digits,
    many,
    number,
    one,
    player,
    spoken,
    subject,
    target,
)
from conformance.reading.references import (
    ChoiceReference,
    PronounReference,
    TargetReference,
    marks_in,
    rebuilt_with,
)
from reference_engine.language.cards import (
    AddMana,
    AddTypes,
    All,
    Cannot,
    CastEvent,
    ChooseInstruction,
    CopySpell,
    Create,
    Destroy,
    Effect,
    Filter,
    GoTo,
    If,
    It,
    LandDrops,
    Later,
    LifeCost,
    LookThrough,
    ManaCost,
    ManaRider,
    May,
    Mode,
    Must,
    OneOfInstruction,
    OwnerOf,
    Put,
    SacrificeCost,
    SetTypes,
    Spending,
    WhenYouDo,
    Would,
    X,
    You,
)
from reference_engine.language.words import CHOSEN_COLOR, CHOSEN_TYPE


class IfYouDo(Struct, frozen=True):
    """What follows if a player did what they may do."""

    effect: tuple[Any, ...]
    negated: bool = False


class Otherwise(Struct, frozen=True):
    """What happens if a condition does not hold."""

    effect: tuple[Any, ...]


class CannotBeRegenerated(Struct, frozen=True):
    """What was destroyed can't be regenerated."""


class StillLand(Struct, frozen=True):
    """A land that became a creature is still a land (CR 205.1b: it keeps its types)."""


class NewTargets(Struct, frozen=True):
    """You may choose new targets for a copy."""


may_order = one_of(
    rule("have {by} deal {n} to {to}", dealt, by=spoken, n=much, to=victim),
    rule("have {who} {does}{until}", continuous_effect, who=subject, does=verbs, until=during),
    rule("{told}", lambda told: told, told=said),
)


def may(who: Any, told: InstructionDraft) -> InstructionDraft:
    """Somebody may do something."""
    return [May(tuple(told), who)]


def may_act(who: Any, does: list[Any]) -> InstructionDraft | None:
    """Another player may do something themselves."""
    acted = None if who == You() else actions_of(who, does)
    return None if acted is None else [May(tuple(acted), who)]


def may_pay(who: Any, costs: list[Any]) -> InstructionDraft:
    """Somebody may pay something; the next sentence says what for."""
    return [May((), who, tuple(costs))]


def later_on(when: Any, told: InstructionDraft) -> InstructionDraft:
    """Something that happens at a later time."""
    return [Later(when, tuple(told))]


pays = list_in_sentence(
    one_of(
        rule("pay[s] {mana}", ManaCost, mana=mana),
        rule("pay[s] {n} life", LifeCost, n=digits),
        rule(
            "discard[s] {what} at random",
            lambda what: None if (cost := discard_cost(*what)) is None else replace(cost, at_random=True),
            what=numbered,
        ),
        rule("discard[s] {what}", lambda what: discard_cost(*what), what=numbered),
        rule("tap[s] {what}", lambda what: tapped_others(*what), what=numbered),
        rule("sacrifice[s] {what}", lambda what: SacrificeCost(what[1], what[0]), what=numbered),
    )
)


def unless(told: InstructionDraft, who: Any, costs: list[Any]) -> InstructionDraft:
    """Something that happens unless somebody pays."""
    return [May((), who, tuple(costs), tuple(told))]


def if_so(cond: Any, told: InstructionDraft) -> InstructionDraft:
    """What happens if a condition holds."""
    return [If(cond, tuple(told))]


number_or_x = one_of(number, rule("X", X))


def put_on_top_or_bottom(who: Any) -> InstructionDraft:
    """The owner of something puts it on the top or bottom of their library."""
    it: Any = PronounReference("it")
    top, bottom = Mode((Put(it, "library"),)), Mode((Put(it, "library", bottom=True),))
    return [OneOfInstruction((top, bottom), OwnerOf(who))]


def blocked_by_all(who: Any) -> InstructionDraft:
    """Every creature that is able to blocks something this turn."""
    every = Filter(type=frozenset({"Creature"}))
    return [Effect(who, (Must("be blocked", by=every),), "this turn")]


class SpentOnlyOn(Struct, frozen=True):
    """What the mana just added may be spent on."""

    only: Spending
    rider: ManaRider | None = None


class RidesOnMana(Struct, frozen=True):
    """What the mana just added does to a spell."""

    rider: ManaRider


def spent_on(uses: list[tuple[str, Filter]]) -> Spending | None:
    """What mana may be spent on."""
    if len(dict(uses)) != len(uses):
        return None
    return Spending(**dict(uses))


def such_spells(what: All) -> tuple[str, Filter] | None:
    """Spells that mana may be spent on."""
    return ("spells", Filter(**as_filter(what))) if what.zones == {"stack"} else None


def such_sources(found: re.Match[str]) -> tuple[str, Filter] | None:
    """Sources of abilities that mana may be spent on."""
    what = parse(one, f"{found[1] or 'permanent'}{found[2] or ''}")
    return None if what is None else ("abilities", Filter(**as_filter(what)))


sources = matching(r"(?:an? )?(?:([A-Z]?[\w'-]+(?: [\w'-]+)?) )?sources?( of the chosen type)?", such_sources)


mana_use = one_of(
    rule("cast {a}{what}", lambda a, what: such_spells(what), a=article, what=one),
    rule("cast {what}", such_spells, what=many),
    rule("activate [an ability|abilities] of {what}", lambda what: what, what=sources),
    rule("activate [an ability|abilities]", lambda: ("abilities", Filter())),
)
mana_uses = rule("{uses}", spent_on, uses=with_separators(mana_use, " or ", " and "))


def mana_rider(what: All, does: list[Any], until: Any) -> InstructionDraft | None:
    """What mana does to such a spell."""
    kind = such_spells(what)
    return None if kind is None else [RidesOnMana(ManaRider(tuple(does), kind[1], until))]


def with_terms_of_mana(piece: Any, **terms: Any) -> Any:
    """An instruction that adds mana, with what the mana may be spent on or does; `None` for any other."""
    match piece:
        case AddMana():
            return replace(piece, **terms)
        case OneOfInstruction(options) if options:
            kinds = [with_terms_of_mana(mode.effect[0], **terms) if mode.effect else None for mode in options]
            modes = tuple(Mode((made,)) for made in kinds if made is not None)
            return replace(piece, options=modes) if len(modes) == len(kinds) else None
        case _:
            return None


def next_cast(what: All, told: InstructionDraft) -> InstructionDraft | None:
    """What happens as you next cast such a spell, which is "it"."""
    kind = such_spells(what)
    if kind is None:
        return None
    meant = (PronounReference("it"), PronounReference("that spell"))
    about = rebuilt_with(tuple(told), lambda part: It() if part in meant else None)
    return [Later(CastEvent(kind[1]), tuple(about), this_turn=True)]


sentence = one_of(
    rule("if you do, {told}", lambda told: [IfYouDo(tuple(told))], told=later_said),
    rule("then {told}", lambda told: told, told=later_said),
    rule("then if {cond}, {told}", if_so, cond=condition, told=later_said),
    rule("if they do, {told}", lambda told: [IfYouDo(tuple(told))], told=later_said),
    rule("if that player does, {told}", lambda told: [IfYouDo(tuple(told))], told=later_said),
    rule("[if you don't|if they don't], {told}", lambda told: [IfYouDo(tuple(told), True)], told=later_said),
    rule("when you do, {told}", lambda told: [WhenYouDo(tuple(told))], told=later_said),
    rule("otherwise, {told}", lambda told: [Otherwise(tuple(told))], told=later_said),
    rule("[it|they] can't be regenerated", lambda: [CannotBeRegenerated()]),
    rule(
        "look at the top {n} cards of your library, then put them back in any order",
        lambda n: [LookThrough(n, most=0, rest="top")],
        n=number_or_x,
    ),
    rule("look at the top {n} cards of your library", lambda n: [TopCards(n)], n=number_or_x),
    rule("reveal the top {n} cards of your library", lambda n: [TopCards(n, True)], n=number_or_x),
    rule(
        "put {n} of them {to} and [the rest|the other] {rest}",
        lambda n, to, rest: [TakenFromThem((*to, ("most", n)), rest)],
        n=number,
        to=taken_to,
        rest=rest_place,
    ),
    rule(
        "{may}reveal {what} from among them and put [it|them] into your hand",
        lambda may, what: taken_such(may, what, ()),
        may=whether("you may "),
        what=such_cards,
    ),
    rule(
        "{may}put {what} from among them {to}",
        lambda may, what, to: taken_such(may, what, to),
        may=whether("you may "),
        what=such_cards,
        to=taken_to,
    ),
    rule("put [the rest|the other] {rest}", lambda rest: [RestOfThem(rest)], rest=rest_place),
    rule(
        "when you next cast {a}{what} this turn, {told}",
        lambda a, what, told: next_cast(what, told),
        a=article,
        what=one,
        told=said,
    ),
    rule(
        "spend this mana only to {uses}, and that spell can't be countered",
        lambda uses: [SpentOnlyOn(uses, ManaRider((Cannot(frozenset({"be countered"})),)))],
        uses=mana_uses,
    ),
    rule("spend this mana only to {uses}", lambda uses: [SpentOnlyOn(uses)], uses=mana_uses),
    rule(
        "if that mana is spent on {a}{what}, it {does}{until}",
        lambda a, what, does, until: mana_rider(what, does, until),
        a=article,
        what=one,
        does=verbs,
        until=perhaps(during, "ever"),
    ),
    rule("you may choose new targets for the [copy|copies]", lambda: [NewTargets()]),
    rule("[it's still a land|they're still lands]", lambda: [StillLand()]),
    rule(
        "{who} puts it on their choice of the top or bottom of their library",
        put_on_top_or_bottom,
        who=one_of(
            rule("{what}'s owner", lambda what: what, what=target),
            rule("the owner of {what}", lambda what: what, what=target),
        ),
    ),
    rule("you may play an additional land this turn", lambda: [Effect(You(), (LandDrops(1),), "this turn")]),
    rule("all creatures able to block {who} this turn do so", blocked_by_all, who=one_of(spoken, target)),
    rule("at the beginning of {when}, {told}", later_on, when=begins, told=said),
    rule(
        "{told} at the beginning of {when}",
        lambda told, when: later_on(when, told),
        told=statements,
        when=begins,
    ),
    rule("{told} at end of combat", lambda told: later_on(END_OF_COMBAT, told), told=statements),
    rule(
        "if {who} would die this turn, exile it instead",
        lambda who: [Effect(who, (Would("die", GoTo("exile")),), "this turn")],
        who=one_of(spoken, target),
    ),
    rule(
        "{told}, then {who} may {does}",
        lambda told, who, does: [*told, *may(who, does)],
        told=statements,
        who=player,
        does=may_order,
    ),
    rule("if {cond}, {told}", if_so, cond=condition, told=later_said),
    rule("{told} if {cond}", lambda told, cond: if_so(cond, told), told=statements, cond=condition),
    rule("{who} may {costs}", may_pay, who=player, costs=cost_verbs),
    rule("{who} may {does}", may_act, who=player, does=with_separators(player_act, " and ", ", then ")),
    rule("{who} may {told}", may, who=player, told=may_order),
    rule("{told} unless {who} {costs}", unless, told=statements, who=player, costs=pays),
    said,
)
"""One sentence of an effect, without its period."""
later_said.become(
    one_of(
        rule("{who} may {costs}", may_pay, who=player, costs=cost_verbs),
        rule("{who} may {does}", may_act, who=player, does=with_separators(player_act, " and ", ", then ")),
        rule("{who} may {told}", may, who=player, told=may_order),
        said,
    )
)


CHOICES = {
    "the color of your choice": ("the chosen color", ChooseInstruction("color")),
    "the creature type of your choice": (
        "the chosen type",
        ChooseInstruction("type", of="creature type"),
    ),
    "the basic land type of your choice": (
        "the chosen land type",
        ChooseInstruction("type", of="basic land type"),
    ),
}
"""What is chosen where it is used, in words for something chosen before."""


def chosen_at_random(part: Any) -> Any:
    """A choice that chance makes."""
    return replace(part, at_random=True) if isinstance(part, ChoiceReference) else None


@lru_cache(maxsize=20_000)
def sentence_read(text: str) -> tuple[Any, ...] | None:
    """The meaning of a sentence without its period; `None` if the grammar does not cover it."""
    for words_of_choice, (chosen, choice) in CHOICES.items():
        if words_of_choice in text:
            told = sentence_read(text.replace(words_of_choice, chosen))
            # What a target must be is chosen before, as the spell is cast.
            aimed = [one.spec.what for one in marks_in(told, TargetReference) if one.spec.what is not None]
            early = any({CHOSEN_COLOR, CHOSEN_TYPE} & (what.color | what.subtype) for what in aimed)
            return None if told is None or early else (choice, *told)
    if " at random from " in text:
        drawn = sentence_read(text.replace(" at random from ", " from "))
        picked = marks_in(drawn, ChoiceReference)
        return None if drawn is None or len(picked) != 1 else tuple(rebuilt_with(drawn, chosen_at_random))
    for spelled in spellings(text):
        told = parse(sentence, spelled)
        if told is not None:
            return tuple(told)
    return None


def spellings(text: str) -> tuple[str, ...]:
    """Spellings of a sentence inside another: without its capital letter, unless that belongs to a name."""
    return (text[:1].lower() + text[1:], text) if text[:1].isupper() else (text,)


def body_read(text: str) -> tuple[Any, ...] | None:
    """The meaning of several sentences, in order."""
    told: list[Any] = []
    for one_sentence in sentences_in(text):
        read = sentence_read(one_sentence)
        if read is None:
            return None
        for piece in read:
            if not add_piece(told, piece):
                return None
    return None if told and isinstance(told[-1], TopCards | RestOfThem) else tuple(told)


def sentences_in(text: str) -> list[str]:
    """The sentences of a text without their periods; quotations are not split."""
    found, start, quoted = [], 0, False
    for index, letter in enumerate(text):
        if letter == '"':
            quoted = not quoted
        ends = letter == "." and not quoted and text[index + 1 : index + 2] in ("", " ")
        quote_ends = (
            letter == '"'
            and not quoted
            and text[index - 1] == "."
            and text[index + 1 : index + 2] in ("", " ")
        )
        if (
            ends
            or (quote_ends and text[index + 2 : index + 3].isupper())
            or (quote_ends and index + 1 == len(text))
        ):
            found.append(text[start : index + (0 if ends else 1)].strip())
            start = index + 1
    rest = text[start:].strip()
    return [*found, rest] if rest else found


def add_piece(told: list[Any], piece: Any) -> bool:
    """Add the meaning of a sentence to the earlier ones; False if it does not fit them."""
    before = told[-1] if told else None
    match piece, before:
        case TakenFromThem(fields, rest), TopCards(n, reveal):
            looked = LookThrough(n, reveal=reveal, **dict(fields))
            told[-1] = looked if rest is None else replace(looked, rest=rest)
            if rest is None:
                told.append(RestOfThem(""))
        case RestOfThem(rest), RestOfThem(""):
            told[-2:] = [replace(told[-2], rest=rest)]
        case RestOfThem(rest), TopCards(n, reveal):
            told[-1] = LookThrough(n, most=0, rest=rest, reveal=reveal)
        case IfYouDo(effect, False), May(first, who, cost, ()):
            told[-1] = May((*first, *effect), who, cost)
        case IfYouDo(effect, True), May(first, who, cost, ()):
            told[-1] = May(first, who, cost, effect)
        case WhenYouDo(), May(first, who, cost, ()):
            told[-1] = May((*first, piece), who, cost)
        case Effect(PronounReference()), May((_, *_) as first, cost=(_, *_), otherwise=()) if marks_in(
            first, (TargetReference, Create)
        ):
            # What is done to something that exists or is affected only "if you do" is done only then.
            told[-1] = replace(before, effect=(*first, piece))
        case Otherwise(effect), If(cond, first, ()):
            told[-1] = If(cond, first, effect)
        case CannotBeRegenerated(), Destroy(what, False):
            told[-1] = Destroy(what, for_good=True)
        case StillLand(), Effect(_, does, _) if any(isinstance(op, SetTypes) for op in does):
            kept = (AddTypes(op.types, op.subtypes) if isinstance(op, SetTypes) else op for op in does)
            told[-1] = replace(before, does=tuple(kept))
        case NewTargets(), CopySpell():
            told[-1] = replace(before, new_targets=True)
        case NewTargets(), Later(_, (*first, CopySpell() as last)):
            told[-1] = replace(before, effect=(*first, replace(last, new_targets=True)))
        case SpentOnlyOn(only, rider), AddMana() | OneOfInstruction():
            told[-1] = with_terms_of_mana(before, only=only, rider=rider)
            return told[-1] is not None
        case RidesOnMana(rider), AddMana() | OneOfInstruction():
            told[-1] = with_terms_of_mana(before, rider=rider)
            return told[-1] is not None
        case ((SpentOnlyOn() | RidesOnMana()), _):
            return False
        case ((TakenFromThem() | RestOfThem()), _):
            return False
        case _, (TopCards() | RestOfThem()):
            return False
        case (
            (IfYouDo() | Otherwise() | CannotBeRegenerated() | NewTargets() | WhenYouDo() | StillLand()),
            _,
        ):
            return False
        case _:
            told.append(piece)
    return True
