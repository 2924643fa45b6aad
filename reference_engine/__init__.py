"""A reference engine that reads the rules literally; `layers.py` first, then `game.py`."""
