"""The commands, a module for each group, and what `explain` and `play` do.

A command imports what it needs itself, so that the others start fast, and leaves the work to a room.
"""
