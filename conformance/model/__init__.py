"""What everything speaks of: scenarios, observations, verdicts. Imports the language of cards alone."""
