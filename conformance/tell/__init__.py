"""Explanations of why everything looks as it does. Imports the data and the reference engine."""
