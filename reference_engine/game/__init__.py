"""The game: priority, the stack, the turn and everything that happens in it. Imports the language and the
layers.

Read in this order; `game`, `happening` and `priority` are enough for an overview.

- The game and its changes: `game` is the value and `advance`; `events` lists what can happen, `happening` has
  `happen`, through which everything changes, and `changes` what each event changes; `questions` has the
  decisions of players; `table` begins a game, and `stability` proves that it may be set up at once.
- Acting: `priority` says who may act; `timing` says when; `casting` takes a spell or ability through its
  steps, with `announcing` for the choices in them, `costs`, `mana`, `pools` and `targets`; `stack` names what
  is on the stack.
- Resolving: `resolving` takes the top object off the stack; `instructions` says what each instruction does,
  with `scene` and `recall` for what its words mean, `possible` for what may be begun, `choices` for what is
  chosen then, `at_once` for what happens at the same time, `moving`, `copying`, `library` for the top cards
  of a library, `manifesting` for those that enter face down, and `beginning` for continuous effects.
- Consequences: `zones` for what moves, `entry` for how a permanent enters, with `timestamps` for what gets
  one together, `replacing` for the order of replacement and prevention effects,
  `damage` for what each of them does and for what is damaged and destroyed, `attaching` for what being
  attached makes of things, `rooms` for their doors, `triggers` (with `occurrences` for the events that they
  wait for, and `stacking` for how they come onto the stack), and `state_based` for state-based actions.
- The turn: `turn` goes through the steps, `phases` adds and skips some, `phasing` has what phases in and out,
  `combat` goes through those of the combat phase; `daytime` has day and night, and `designations` those of
  players; `controlling` says who decides for whom; `sagas` has lore counters, `history` the records of what
  has happened this turn.
- The rules as a whole: `rule_effects` finds the effects that change them; `game_rules` has every decision of
  these modules in one record, in which others may replace them.
- What others ask about a game: `legal` lists the legal actions, `account` tells what happened.
"""
