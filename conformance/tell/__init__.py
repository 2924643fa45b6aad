"""Why everything looks as it does. Imports the model, the wording, the rulebook and the reference engine."""
