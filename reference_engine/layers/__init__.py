"""The layers (CR 613: from a board to the characteristics of everything on it). Imports only the language."""
