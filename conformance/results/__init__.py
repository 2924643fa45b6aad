"""The results of a run: events, counts, causes. Imports what is played."""
