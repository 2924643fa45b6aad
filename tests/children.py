"""Child processes that a signal ends."""

from __future__ import annotations

import os


def unmeasured() -> dict[str, str]:
    """The environment, in which a child measures no coverage.

    Coverage holds a lock while it notes a new file; a signal at that moment would leave it locked for ever.
    """
    return {name: value for name, value in os.environ.items() if not name.startswith("COVERAGE")}
