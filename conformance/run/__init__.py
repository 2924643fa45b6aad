"""One graded run: its options, its session, why a check failed. Imports the search and all below it."""
