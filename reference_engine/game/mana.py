"""Mana costs as amounts, changes to them, and paying them from a pool.

CR 107.4, 118.7, 202.1: the symbols, and how cost reductions treat them.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from reference_engine.language.cards import AddMana, Instruction
from reference_engine.language.characteristics import SYMBOL, instructions_in
from reference_engine.language.words import COLORS, MANA_COLOR
from reference_engine.layers.board import NotModelled, repeatable

LETTERS = "WUBRGC"
PHYREXIAN = frozenset(f"{letter}/P" for letter in LETTERS)
COLOR_LETTER = {color: letter for letter, color in MANA_COLOR.items()} | {"colorless": "C"}


class Price(Struct, frozen=True, cache_hash=True):
    """An amount of mana to pay, plus life for Phyrexian symbols: generic mana, and exact letters."""

    generic: int = 0
    pips: str = ""
    life: int = 0

    def __str__(self) -> str:
        return text_of_price(self)

    @property
    def total(self) -> int:
        """The total amount of mana."""
        return self.generic + len(self.pips)


@functools.lru_cache(maxsize=4096)
def text_of_price(price: Price) -> str:
    """The mana of a price as symbols."""
    numbers = f"{{{price.generic}}}" if price.generic or not price.pips else ""
    return numbers + "".join([f"{{{letter}}}" for letter in price.pips])


FREE = Price()


class WrongPayment(Exception):
    """The choice announced for a symbol is not one of the ways to pay it."""


@functools.lru_cache(maxsize=4096)
def price_of(mana: str, x: int = 0, hybrid: tuple[str, ...] = (), with_life: int = 0) -> Price:
    """A mana cost as an amount, with all announced choices made.

    CR 107.3: X is the number announced. CR 107.4e: a hybrid symbol is one of its halves, by default the
    first. CR 107.4f: a Phyrexian symbol, also a hybrid one, may be paid with 2 life; `with_life` is the
    number paid this way, from the left.
    """
    generic, pips, life = 0, "", 0
    halves = list(hybrid)
    for symbol in SYMBOL.findall(mana):
        if symbol.isdigit():
            generic += int(symbol)
        elif symbol == "X":
            generic += x
        elif symbol.endswith("/P") and with_life > 0:
            with_life, life = with_life - 1, life + 2
        elif symbol in PHYREXIAN:
            pips += symbol[0]
        elif "/" in symbol:
            half = chosen_half(symbol.removesuffix("/P"), halves.pop(0) if halves else None)
            if half.isdigit():
                generic += int(half)
            else:
                pips += half
        elif symbol in LETTERS:
            pips += symbol
        else:
            raise NotModelled(f"the mana symbol {{{symbol}}}")
    if halves:
        raise WrongPayment(f"{mana} has fewer hybrid symbols than were announced")
    if with_life and not life:
        raise WrongPayment(f"{mana} has no Phyrexian symbol to pay life for")
    return Price(generic, letters_in_order(pips), life)


def chosen_half(symbol: str, wanted: str | None) -> str:
    """The half of a hybrid symbol that will be paid."""
    halves = symbol.split("/")
    if wanted is None:
        return halves[0]
    wanted = COLOR_LETTER.get(wanted, "2" if wanted == "generic" else wanted)
    if wanted not in halves:
        raise WrongPayment(f"{{{symbol}}} can't be paid as {wanted}")
    return wanted


def letters_in_order(letters: Iterable[str]) -> str:
    """Mana letters in the usual order."""
    return "".join(sorted(letters, key=LETTERS.index))


def increase(price: Price, by: Price) -> Price:
    """CR 601.2f: an additional cost or cost increase is added."""
    return replace(price, generic=price.generic + by.generic, pips=letters_in_order(price.pips + by.pips))


def reduced(price: Price, by: Price) -> Price:
    """A cost reduced by an amount of mana, never below zero.

    CR 118.7a: a generic reduction affects only generic mana. CR 118.7b, 118.7c: a coloured reduction applies
    to that colour first, and the rest to generic mana.
    """
    generic, pips = price.generic - by.generic, price.pips
    generic = max(generic, 0)
    for letter in by.pips:
        if letter in pips:
            pips = pips.replace(letter, "", 1)
        else:
            generic = max(generic - 1, 0)
    return replace(price, generic=generic, pips=pips)


def at_least(price: Price, minimum: int) -> Price:
    """The cost raised with generic mana to at least `minimum` mana in all."""
    return replace(price, generic=price.generic + max(0, minimum - price.total))


def mana_to_spend(available: str, price: Price, freedom: tuple[str, bool] = ("", True)) -> str | None:
    """The mana that a payment takes from what is available; `None` if it is not enough.

    CR 118.3a: paying mana removes it from the pool. The player chooses the mana for generic costs; unless the
    script names it, colourless mana goes first, then the most plentiful kind. `freedom` gives the mana that
    may be spent as though it were of any colour, and whether other mana counts as its own colour.
    """
    free, others = freedom
    left, gone = available, ""
    # Mana for {C} comes first: what can pay for it could also be spent on a colour if mana is free for that.
    for letter in sorted(price.pips, key=lambda letter: letter != "C"):
        if letter == "C":
            # CR 107.4: colourless is not a colour; other mana may have to be spent as though it were
            # colourless.
            usable = [have for have in left if have == "C" or (not others and have not in free)]
        else:
            usable = [have for have in left if have in free or (have == letter and others)]
        if not usable:
            return None
        taken = letter if letter in usable else usable[0]
        left, gone = left.replace(taken, "", 1), gone + taken
    for _ in range(price.generic):
        if not left:
            return None
        taken = (
            "C" if "C" in left else max(left, key=lambda letter: (left.count(letter), -LETTERS.index(letter)))
        )
        left, gone = left.replace(taken, "", 1), gone + taken
    return gone


def letters_of(mana: str) -> str:
    """Mana symbols such as "{G}{G}" as letters; a number is colourless mana."""
    letters = ""
    for symbol in SYMBOL.findall(mana):
        letters += "C" * repeatable(int(symbol)) if symbol.isdigit() else symbol
    return letters


def symbols_of(letters: str) -> str:
    """Letters as mana symbols."""
    return "".join(f"{{{letter}}}" for letter in letters_in_order(letters))


def kinds_made(effect: tuple[Instruction, ...]) -> tuple[str, ...]:
    """The kinds of mana of which these instructions make one; none if they make several at once."""
    adding = [instruction for instruction in instructions_in(effect) if isinstance(instruction, AddMana)]
    if any(instruction.mixed for instruction in adding):
        return ()
    made = [instruction.mana for instruction in adding]
    if "any" in made:
        return COLORS
    kinds = {MANA_COLOR.get(letter, "colorless") for letter in letters_of("".join(made))}
    return tuple(kinds) if len(kinds) == 1 else ()
