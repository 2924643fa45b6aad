"""The data of the suite: fixtures, cards, rule numbers. Imports the model, the files and their checks."""
