"""Cards, actions and scenarios in the words players use. Imports the model.

The text is generated from the definition, never pasted, and follows the game's usual templates. So a person
can check a card by reading it, and an engine that reads rules text can be given it. Every member of every
union of the card language can be worded, whether a card uses it or not.

Read `abilities` from its end: cards consist of abilities, those of instructions, and so on down to `phrases`
and `english`. `scripts` words what players do and what a scenario is about.
"""

from conformance.wording.abilities import ability_text, card_text, keyword_text, rules_text, type_line
from conformance.wording.scripts import action_text, board_lines, scenario_text

__all__ = [
    "ability_text",
    "action_text",
    "board_lines",
    "card_text",
    "keyword_text",
    "rules_text",
    "scenario_text",
    "type_line",
]
