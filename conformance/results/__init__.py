"""What a run comes to: its events, counts, causes. Imports what is played."""
