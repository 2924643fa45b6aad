"""The search for cases that break a law: finding, shrinking and saving counterexamples. Imports the gate."""
