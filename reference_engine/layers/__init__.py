"""The layers (CR 613: from a board to the characteristics of everything on it). Imports only the language.

Read in this order:

- `board`: what the layers start from.
- `evaluation`: the loop over the layers, and what comes out of it.
- `at_work`: which effects there are at a moment. `dependency`: which of them waits for which.
- `effects`: in which layer an effect works, and what it reads and writes. `operations`: what one operation
  does to one object. `asking`: what the words of an effect mean, with `past` for what has happened this turn.
- `view`: how everything looks halfway through.
- `rules`: every decision of these modules in one record, in which others may replace them.
"""
