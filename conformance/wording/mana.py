"""Mana that an instruction adds, in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from conformance.wording.english import (
    YOU,
    Clause,
    Noun,
    Setting,
    Verb,
    command,
    finite,
    number,
    series,
    with_article,
)
from conformance.wording.operations import DURATIONS, part_clauses
from conformance.wording.phrases import (
    describe,
    for_each,
    value,
)
from reference_engine.language.cards import (
    AddMana,
    Filter,
    It,
    ManaRider,
    Mode,
    Quantity,
    Spending,
    X,
    You,
)
from reference_engine.language.characteristics import SYMBOL


def is_added_mana(option: Mode) -> bool:
    """Whether an alternative only adds mana."""
    match option:
        case Mode((AddMana(mana, int(), You()),), ()):
            return mana != "any"
        case _:
            return False


def mana_added_by(options: Sequence[Mode]) -> list[AddMana]:
    """The mana that each alternative adds."""
    return [one for option in options for one in option.effect if isinstance(one, AddMana)]


def mana_added(mana: str, n: Quantity, setting: Setting, mixed: bool = False) -> Verb:
    """Mana to add: "{G}{G}", "one mana of any color"."""
    if mana == "any":
        if n == 1:
            return Verb("one mana of any color")
        colors = "in any combination of colors" if mixed else "of any one color"
        if isinstance(n, int | X):
            return Verb(f"{number(n) if isinstance(n, int) else 'X'} mana {colors}")
        letter = setting.letters[0]
        return Verb(f"{letter} mana {colors}", f", where {letter} is {value(n, setting)}")
    if isinstance(n, int):
        return Verb(mana * n if 0 < n < 6 else f"{mana} {number(n)} times")
    each = for_each(n, setting)
    if each is not None:
        return Verb(mana * each[0], each[1])
    return Verb(f"an amount of {mana} equal to {value(n, setting)}")


def is_mana_of_one_kind(options: Sequence[Mode]) -> bool:
    """Whether all alternatives only add mana, which may be spent on the same things."""
    added = mana_added_by(options)
    return (
        bool(options)
        and all(is_added_mana(option) for option in options)
        and len({(one.only, one.rider) for one in added}) == 1
    )


def is_several(instruction: AddMana) -> bool:
    """Whether an instruction adds more than one mana."""
    symbols = 1 if instruction.mana == "any" else len(SYMBOL.findall(instruction.mana))
    return not isinstance(instruction.n, int) or symbols * instruction.n > 1


def spending(only: Spending | None, rider: ManaRider | None, several: bool, setting: Setting) -> list[Clause]:
    """What mana may be spent on, and what it does to a spell: "spend this mana only to cast a creature
    spell, and that spell can't be countered".
    """
    said: list[Clause] = []
    besides = None if rider is None else rider_clauses(rider, setting)
    if only is not None:
        uses = series(spending_words(only, several, setting), "or") or "do nothing"
        tail = ""
        if besides is not None and rider is not None and rider.what == Filter() and rider.until == "ever":
            tail, besides = f", and {series(map(finite, besides))}", None
        said.append(command(YOU, f"spend this mana only to {uses}", tail))
    if besides is not None and rider is not None:
        spell = with_article(describe(rider.what, setting, "spell").phrase(False))
        first, *others = besides
        opening = f"if that mana is spent on {spell}, {first.subject.text}"
        said += [replace(first, subject=replace(first.subject, text=opening)), *others]
    return said


def rider_clauses(rider: ManaRider, setting: Setting) -> list[Clause]:
    """What a mana does to the spell that it is spent on."""
    spell = Noun("it" if rider.what != Filter() or rider.until != "ever" else "that spell", head="spell")
    known = setting.with_words({It(): spell}, {It(): spell})
    lasts = rider.until == "ever"
    return part_clauses(It(), rider.does, known, static=lasts, during=DURATIONS[rider.until])


def spending_words(only: Spending, several: bool, setting: Setting) -> Iterator[str]:
    """What mana may be spent on: "cast a creature spell", "activate abilities of artifact sources"."""
    if only.spells is not None:
        spells = describe(only.spells, setting, "spell").phrase(several)
        yield f"cast {spells if several else with_article(spells)}"
    if only.abilities is not None:
        sources = ""
        if only.abilities != Filter():
            such = describe(only.abilities, setting, "source").phrase(several)
            sources = f" of {such if several else with_article(such)}"
        yield f"activate {'abilities' if several else 'an ability'}{sources}"
