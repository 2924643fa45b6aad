"""The game: priority, the stack, the turn and everything that happens in it. Imports the language and the
layers.
"""
