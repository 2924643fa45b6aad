"""How hard Hypothesis searches: `HYPOTHESIS_PROFILE` is `quick` (the default), `ci` or `deep`.

No profile has a deadline and none minds slow draws: a busy machine is not a bug.
"""

import os

from hypothesis import HealthCheck, settings

settings.register_profile(
    "quick",
    max_examples=50,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
settings.register_profile(
    "ci",
    settings.get_profile("quick"),
    max_examples=100,
    derandomize=True,
    print_blob=True,
)
settings.register_profile(
    "deep",
    settings.get_profile("quick"),
    max_examples=10_000,
    print_blob=True,
)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "quick"))
