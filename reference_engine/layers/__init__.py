"""The layers (CR 613: from a board to how everything on it looks). Imports the language alone."""
