"""The values that everything else is about: scenarios, observations, verdicts. Imports the card language."""
