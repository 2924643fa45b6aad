"""A rules engine that reads the Comprehensive Rules literally: pure functions over frozen values.

A `Setup` says what is on the table, `starting_game` makes a `Game` of it, and `advance` makes one game of
another, one action at a time. `evaluate` works out what everything on a `Board` looks like. Every decision
of a rule is a function in `GameRules`, and may be replaced. The page `docs/reference-engine.md` has examples.

Read the folders in this order; each imports only those before it:

1. `language`: what cards, actions and setups are made of. The parts of a card are in `language.cards`.
2. `layers`: what everything on a board looks like (CR 613: the layers).
3. `game`: what happens, and who may do what.

The names in `public` are also names of this package. They are loaded when the first of them is used, so
that importing the language alone stays cheap.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from reference_engine.public import *  # noqa: F403 - the names are listed once, over there
else:
    import importlib

    def __getattr__(name):
        """A public name; the language, the layers and the game are loaded with the first one."""
        if name == "__all__" or not name.startswith("_"):
            public = importlib.import_module("reference_engine.public")
            if name == "__all__" or name in public.__all__:
                return getattr(public, name)
        raise AttributeError(f"module 'reference_engine' has no attribute {name!r}")

    def __dir__():
        return [*globals(), *__getattr__("__all__")]
