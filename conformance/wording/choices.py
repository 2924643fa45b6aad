"""Choices that an instruction asks for, in words."""

from __future__ import annotations

from typing import assert_never

from msgspec.structs import replace

from conformance.wording.english import (
    Form,
    Noun,
    Setting,
    later_reference,
    plural,
    series,
    with_article,
    words_in_order,
)
from conformance.wording.phrases import (
    describe,
    group,
    noun,
    object_of,
)
from conformance.wording.target_words import within_limits
from reference_engine.language.cards import (
    All,
    ChooseInstruction,
    Everyone,
    Selector,
)
from reference_engine.language.words import (
    COLORS,
)

CHOICE_FORMS: tuple[Form, Form, Form] = ("one", "some", "many")


def choice_words(choice: ChooseInstruction, setting: Setting) -> str:
    """What to choose: "a creature you control", "one or more colors", "a creature type"."""
    what = choice.what
    match choice.kind:
        case "object":
            of = what if isinstance(what, All) else None
            if what is not None and of is None:
                return f"{object_of(what, setting)}"
            one, some, many = (group(of or All(), setting, form).text for form in CHOICE_FORMS)
            said = within_limits(choice.least, choice.most, one, some, many)
            if not choice.at_random:
                return said
            what_kind, found, place = said.partition(" in ")
            return f"{what_kind} at random{found}{place}"
        case "player":
            who = noun(what or Everyone(), setting, "one")
            return within_limits(
                choice.least,
                choice.most,
                who.text,
                with_article(who.text),
                plural(who.text),
            )
        case "color" if choice.most >= len(COLORS) and choice.least == 1:
            return "one or more colors"
        case "type" | "word" | "color" | "name" | "number":
            kinds = {"type": choice.of or "type", "word": f"{choice.of or 'text'} word", "name": "card name"}
            one = kinds.get(choice.kind, choice.kind)
            if choice.among is not None:
                one = f"{describe(choice.among, setting, 'card').phrase(False)} name"
            said = within_limits(choice.least, choice.most, one, with_article(one), plural(one))
            said += f" among {object_of(what, setting)}" if what is not None else ""
            return said + (
                f" other than {series(words_in_order(choice.never), 'or')}" if choice.never else ""
            )
        case kind:
            assert_never(kind)


def chosen_noun(choice: ChooseInstruction, setting: Setting) -> Noun:
    """How later text refers to what was chosen."""
    several = choice.most > 1
    match choice.kind:
        case "object" | "player":
            anything: Selector = All() if choice.kind == "object" else Everyone()
            what = noun(choice.what or anything, setting, "many" if several else "one")
            return later_reference(replace(what, many=several), "the chosen")
        case kind:
            return Noun(f"the chosen {plural(kind) if several else kind}", several)
