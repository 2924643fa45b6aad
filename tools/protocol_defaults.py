"""The table of non-trivial defaults in docs/protocol.md.

`python -m tools protocol-defaults` prints it.
"""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from msgspec import NODEFAULT

from conformance.files.canonical import encode, fields_of, without_defaults
from conformance.files.own_words import is_struct, parts_of_types
from conformance_adapters.wire import PlayThis

EMPTY: tuple[object, ...] = (None, False, 0, "", (), frozenset())


def table() -> str:
    """One line for each key and default, with the records that have it."""
    records: dict[tuple[str, str], list[str]] = defaultdict(list)
    for struct in parts_of_types(PlayThis):
        if is_struct(struct):
            for _, key, default in fields_of(struct):
                if default is not NODEFAULT and not says_nothing(default):
                    records[key, in_json(default)].append(name_of(struct))
    lines = [
        f"| `{key}` | `{default}` | {', '.join(sorted(names))} |"
        for (key, default), names in sorted(records.items())
    ]
    return "\n".join(["| key | default | of |", "|---|---|---|", *lines, ""])


def says_nothing(default: object) -> bool:
    """Whether a default is null, false, 0 or empty."""
    return any(type(default) is type(empty) and default == empty for empty in EMPTY)


def in_json(default: object) -> str:
    """A default as JSON, as sent on the wire."""
    return json.dumps(json.loads(encode(without_defaults(default))))


def name_of(struct: Any) -> str:
    """The name of a record: its tag, or its name in the schema."""
    config = struct.__struct_config__
    return f"`{config.tag_field}: {config.tag}`" if config.tag_field else f"`{struct.__name__}`"
