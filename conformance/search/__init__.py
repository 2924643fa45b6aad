"""Cases in which an engine breaks a law: found, made smaller, kept. Imports the gate and all below it."""
