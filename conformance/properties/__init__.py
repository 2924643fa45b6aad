"""The laws of the suite: `law` says what a property is, `layers` has those of the layers.

Every property is listed here by hand; one that is not in `PROPERTIES` does not exist.
"""

from __future__ import annotations

from typing import Any

from conformance.properties.law import Broken, Property
from conformance.properties.layers import LAYERS

PROPERTIES: tuple[Property[Any], ...] = LAYERS

__all__ = ["PROPERTIES", "Broken", "Property"]
