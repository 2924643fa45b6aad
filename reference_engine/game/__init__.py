"""The game: priority, the stack, the turn and all that happens in it. Imports the language and the layers."""
