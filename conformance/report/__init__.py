"""Runs for people and programs: the terminal and every file. Imports the run; nothing imports it but commands."""
