"""One graded run: options, session, and the diagnosis of failures. Imports the search and all below it."""
