"""What the fields of a struct hold, as their annotations say it."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any


@cache
def types_of(cls: Any) -> dict[str, Any]:
    """The types of a struct's fields, in order."""
    said = {
        name: type_said(annotation, base.__module__)
        for base in reversed(cls.__mro__)
        for name, annotation in vars(base).get("__annotations__", {}).items()
    }
    return {name: said[name] for name in cls.__struct_fields__}


@cache
def type_said(annotation: str, module: str) -> Any:
    """The type that an annotation in a module means; many fields say the same, and asking takes a while."""
    return eval(annotation, vars(sys.modules[module]))  # our own words
