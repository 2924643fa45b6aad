"""The language of cards, actions and characteristics: plain data. Imports no other package of ours."""
