"""The types of a struct's fields, resolved from their annotations."""

from __future__ import annotations

import sys
from functools import cache
from typing import Any


@cache
def types_of(cls: Any) -> dict[str, Any]:
    """The types of a struct's fields, in order."""
    said = {
        name: annotated_type(annotation, base.__module__)
        for base in reversed(cls.__mro__)
        for name, annotation in vars(base).get("__annotations__", {}).items()
    }
    return {name: said[name] for name in cls.__struct_fields__}


@cache
def annotated_type(annotation: str, module: str) -> Any:
    """The type that an annotation in a module denotes; cached, because many fields share an annotation."""
    return eval(annotation, vars(sys.modules[module]))  # only annotations in our own code
