"""Scenario files to values and back, each value with its place. Imports the model and the wording."""
