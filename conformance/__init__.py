"""The suite: scenarios, what an engine shows for each of them, and what we make of it."""
