"""Our side of the talk with an engine: each adapter translates and waits, and holds no rules."""
