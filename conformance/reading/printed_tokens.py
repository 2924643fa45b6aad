"""Reads tokens: what they are called, what they are, and how many of them are created."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace
from parsy import Parser, Result

from conformance.reading.grammar import (
    NO,
    list_in_sentence,
    matching,
    one_of,
    perhaps,
    rule,
    several,
    whether,
    words,
)
from conformance.reading.operations import corner, given
from conformance.reading.phrases import (
    SUPERTYPE_WORDS,
    article,
    color_word,
    each_of,
    number,
    quantity,
    term,
    thing,
    with_tail,
)
from conformance.wording.tokens import PREDEFINED
from reference_engine.language.cards import Card, Create, ThatMuch, X


def token(size: Any, supertypes: Any, colors: Any, kind: dict[str, Any], named: Any, has: Any) -> Card | None:
    """A token with its characteristics."""
    subtypes, types = kind.get("subtype", frozenset()), kind.get("type", frozenset())
    if not types:
        return None
    return Card(
        name=named or kind["name"],
        types=types,
        supertypes=frozenset(supertypes),
        subtypes=subtypes,
        colors=colors,
        power=None if size is None else size.power,
        toughness=None if size is None else size.toughness,
        abilities=tuple(has or ()),
    )


token_colors = one_of(
    rule("colorless ", lambda: frozenset()),
    rule("{colors} ", lambda colors: frozenset(colors), colors=list_in_sentence(color_word)),
)


def kind_word(stream: Any, index: int) -> Any:
    """The kind of a token, up to the word "token"."""
    for several_of_it in (False, True):
        result = term(stream, index, several_of_it)
        if result.status and result.value["place"] == "token":
            text = stream[index : result.index]
            in_order = sorted(result.value.get("subtype", ()), key=text.find)
            return Result.success(result.index, {**result.value, "name": " ".join(in_order)})
    return NO


named_token = words(
    {f"{name} {word}": token for name, token in PREDEFINED.items() for word in ("tokens", "token")}
)
described_token = rule(
    "{size}{supertypes}{colors}{kind}{named}{has}",
    token,
    size=perhaps(rule("{size} ", lambda size: size, size=corner)),
    supertypes=several(rule("{word} ", lambda word: word, word=words(SUPERTYPE_WORDS))),
    colors=token_colors,
    kind=Parser(kind_word),
    named=perhaps(
        rule(" named {name}", lambda name: name, name=matching(r"[A-Z][\w',-]*(?: [A-Z][\w'-]*| of| the)*"))
    ),
    has=perhaps(rule(" with {has}", lambda has: has, has=given)),
)
entering_state = one_of(
    rule(" that['s| is| are] tapped and attacking", lambda: {"tapped": True, "attacking": True}),
    rule(" that['s| is| are] tapped", lambda: {"tapped": True}),
    rule(" that['s| is| are] attacking", lambda: {"attacking": True}),
    rule("", lambda: {}),
)
any_token = one_of(named_token, described_token)
token_number = one_of(
    rule("{a}", lambda a: 1, a=article),
    rule("{n} ", lambda n: n, n=number),
    rule("X ", X),
    rule("that many ", ThatMuch),
)


def sized_by_effect(token: Card) -> Card:
    """A token whose power and toughness are told where it is created."""
    return replace(token, power=0, toughness=0)


create = one_of(
    rule(
        "create[s] {n}X/X {token}{state}{size}",
        lambda n, token, state, size: (
            lambda who: [Create(sized_by_effect(token), n, who, size=size, **state)]
        ),
        n=token_number,
        token=any_token,
        state=entering_state,
        size=one_of(rule(", where X is {n}", lambda n: n, n=quantity), rule("", X)),
    ),
    rule(
        "create[s] {n}tapped and attacking {token}",
        lambda n, token: lambda who: [Create(token, n, who, tapped=True, attacking=True)],
        n=token_number,
        token=any_token,
    ),
    rule(
        "create[s] {n}{tapped}{token}{state}{each}",
        lambda n, tapped, token, state, each: (
            lambda who: [
                Create(token, with_tail(n, each), who, **(state | ({"tapped": True} if tapped else {})))
            ]
        ),
        n=token_number,
        tapped=whether("tapped "),
        token=any_token,
        state=entering_state,
        each=perhaps(each_of),
    ),
    rule(
        "create[s] a number of {tapped}{token}{state} equal to {n}",
        lambda n, tapped, token, state: (
            lambda who: [Create(token, n, who, **(state | ({"tapped": True} if tapped else {})))]
        ),
        n=quantity,
        tapped=whether("tapped "),
        token=any_token,
        state=entering_state,
    ),
    rule(
        "create[s] {n}token[s] that['s a copy| are copies] of {what}",
        lambda n, what: lambda who: [Create(None, n, who, copy_of=what)],
        n=token_number,
        what=thing,
    ),
)
