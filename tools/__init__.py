"""Maintenance tools: generate pages, golden files and ids, and measure the suite. `python -m tools` lists
them.
"""
