"""Mana pools, and mana that is not like other mana (CR 106.4, 106.6)."""

from __future__ import annotations

from collections import Counter

from msgspec.structs import replace

from reference_engine.game.game import Game, MarkedMana
from reference_engine.game.mana import letters_of
from reference_engine.language.actions import Pay


def with_mana(game: Game, player: str, mana: str, marks: tuple[MarkedMana, ...] = ()) -> Game:
    """The game with mana added to a player's pool."""
    pools = {**game.pools, player: game.pools.get(player, "") + mana}
    if not marks:
        return replace(game, pools=pools)
    return replace(game, pools=pools, marked={**game.marked, player: (*marks_of(game, player), *marks)})


def without_mana(game: Game, player: str, mana: str, marks: tuple[MarkedMana, ...] = ()) -> Game:
    """The game with mana taken from a player's pool."""
    pool, kept = game.pools.get(player, ""), list(marks_of(game, player))
    for letter in mana:
        pool = pool.replace(letter, "", 1)
    for mark in marks:
        kept.remove(mark)
    return replace(game, pools={**game.pools, player: pool}, marked={**game.marked, player: tuple(kept)})


def marks_of(game: Game, player: str) -> tuple[MarkedMana, ...]:
    """The mana in a player's pool that is not like other mana, oldest first."""
    return game.marked.get(player, ())


def named_in_pool(pay: Pay) -> str:
    """The mana that a payment takes from the pool."""
    return "".join(letters_of(step.pool) for step in pay.steps if step.pool is not None)


def marks_since(
    marks: tuple[MarkedMana, ...], before: Game, after: Game, player: str
) -> tuple[MarkedMana, ...]:
    """Some marked mana without what the player has spent since then, and with what the player has got."""
    had, has = Counter(marks_of(before, player)), Counter(marks_of(after, player))
    return tuple((Counter(marks) - (had - has) + (has - had)).elements())


def marks_among(mana: str, available: str, marks: tuple[MarkedMana, ...]) -> tuple[MarkedMana, ...] | None:
    """The marked mana in a part of what is available; `None` if this could be one mana or another."""
    found: list[MarkedMana] = []
    for letter in dict.fromkeys(mana):
        there = [mark for mark in marks if mark.letter == letter]
        n, all_of_it = mana.count(letter), available.count(letter)
        if there and n < all_of_it and (len(there) < all_of_it or len(set(there)) > 1):
            return None
        found += there[:n]
    return tuple(found)
