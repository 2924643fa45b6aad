"""Hypothesis strategies for scenarios: plain data, valid by construction, simplest first.

`means` says what an engine can be given and so what may be drawn; `boards` draws cards and boards.
"""
