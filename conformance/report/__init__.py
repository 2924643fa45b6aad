"""Runs for people and programs: the terminal and every file. Imports the run; only commands import it."""
