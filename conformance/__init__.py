"""The suite: scenarios, how an engine plays them, and how we judge that."""
