"""The gate: known disagreements, new ones, and the configuration. Imports the results."""
