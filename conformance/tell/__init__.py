"""Why everything looks as it does. Imports the model, the wording and the reference engine."""
