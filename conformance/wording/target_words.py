"""What may be chosen as a target, and how many: "up to two other target creatures"."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from conformance.wording.english import (
    AS_MANY_AS_YOU_LIKE,
    Noun,
    Setting,
    number,
    plural,
    possessive,
    series,
    short_head,
    words_in_order,
)
from conformance.wording.phrases import ANYTHING, describe, group, noun, places, value
from reference_engine.language.cards import All, Quantity, TargetSpec, X, You


def target_noun(spec: TargetSpec, setting: Setting) -> Noun:
    """One instance of the word "target": "target creature", "up to two other target creatures"."""
    options: list[tuple[str, str]] = []
    kind = Noun("target")
    if spec.what is not None:
        options += target_phrases(spec.what, setting)
        kind = group(spec.what, setting, "one")
    if spec.players is not None:
        who = noun(spec.players, setting, "one")
        before = 0 if spec.what is not None and spec.what.type == {"Planeswalker"} else len(options)
        options.insert(before, (who.text, plural(who.text)))
        kind = who if spec.what is None else Noun("target", head=f"{short_head(kind)} or player")
    if spec.stack:
        kinds = words_in_order(spec.stack)
        word = series(kinds, "or") + " " if spec.what is None or len(kinds) == 1 else ""
        options.append((f"{word}ability", f"{word}abilities"))
        kind = Noun("target", head="ability" if spec.what is None else "spell or ability")
    if spec.any_target:
        options.append((ANYTHING, "permanents or players"))
        kind = Noun("target", head=ANYTHING)
    anything = spec.any_target and len(options) == 1
    one = "any target" if anything else f"target {series((o[0] for o in options), 'or') or 'object'}"
    many = "targets" if anything else f"target {series((o[1] for o in options), 'or') or 'objects'}"
    other = "other " if "target other " in one else ""
    behind = " with a single target" if spec.targeting_one else ""
    if not isinstance(spec.by, You):
        behind += f" of {possessive(noun(spec.by, setting))} choice"
    one, many = (f"{text.replace('target other ', 'target ', 1)}{behind}" for text in (one, many))
    if spec.least == spec.most == 1:
        long = not anything and " " in one.removeprefix("target ")
        return replace(kind, text=f"another {one}" if other else one, many=False, long=long)
    if isinstance(spec.least, int) and isinstance(spec.most, int):
        words, tail = limits(spec.least, spec.most), ""
    else:
        words, tail = quantity_limits(spec.least, spec.most, setting)
    if words in JUST_ONE:
        return replace(kind, text=f"{words} {other}{'target' + behind if anything else one}", long=True)
    return replace(kind, text=f"{words} {other}{many}{tail}", many=True, long=True)


def quantity_limits(least: Quantity, most: Quantity, setting: Setting) -> tuple[str, str]:
    """Limits that depend on something, and their explanation."""
    if isinstance(most, X) and least in (0, X()):
        return ("up to X" if least == 0 else "X"), ""
    name = setting.letters[0]
    if least in (0, most):
        return f"up to {name}" if least == 0 else name, f", where {name} is {value(most, setting)},"
    return f"between {value(least, setting)} and {value(most, setting)}", ""


def target_phrases(what: All, setting: Setting) -> Iterator[tuple[str, str]]:
    """What may be a target, in singular and plural: "spell or permanent"."""
    order = list(places(what, setting, several=False))
    for i, (place, where) in enumerate(order):
        described = describe(what, setting, place)
        on_top = " on top" if what.top and place == "card" else ""
        many = list(places(what, setting, several=True))[i][1]
        yield described.phrase(False) + on_top + where, described.phrase(True) + on_top + many


def within_limits(least: int, most: int, one: str, some: str, many: str) -> str:
    """A number of things, within limits."""
    if least == most == 1:
        return some
    words = limits(least, most)
    return f"{words} {one if words in JUST_ONE else many}"


JUST_ONE = ("one", "up to one")


def limits(least: int, most: int) -> str:
    """Lower and upper limit: "two", "up to two", "one, two, or three", "any number of"."""
    if least >= most:
        return number(most)
    if most >= AS_MANY_AS_YOU_LIKE:
        return f"{number(least)} or more" if least > 0 else "any number of"
    if least <= 0:
        return f"up to {number(most)}"
    if most - least < 4:
        return series(map(number, range(least, most + 1)), "or")
    return f"between {number(least)} and {number(most)}"
