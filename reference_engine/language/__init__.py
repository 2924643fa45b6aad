"""The language of cards, actions, setups and characteristics: plain data. Imports no other
package of ours.

Read in this order:

- `words`, `subtypes`: the closed lists of words.
- `cards`: what a card is made of, one class for each kind of sentence. `past_events`: its words for the past.
- `characteristics`: what an object looks like. `keywords`: what keyword abilities stand for. `designations`:
  what the monarch's do.
- `setup`: how a game begins. `actions`: what players decide in it.
"""
