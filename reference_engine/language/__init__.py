"""The language of cards, actions and characteristics: plain data. Imports nothing else of ours."""
